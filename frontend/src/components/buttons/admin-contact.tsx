import { Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../app/queries/settings.query';

/** The words "the administrator" within a sentence: a link where the settings have a contact address. */
export function AdminContact() {
  const { data: settings } = useQuery(settingsQuery);
  const url = settings?.links.contactUrl;
  return url ? <TextLink href={url}>the administrator</TextLink> : 'the administrator';
}

/** An external link within a sentence; it opens a new tab. */
export function TextLink({ href, children }: { href: string; children: string }) {
  return (
    <Text asChild color="fg.accent" textDecoration="underline" textUnderlineOffset="3px">
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    </Text>
  );
}
