import { Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { RichText } from '../../app/i18n/rich-text';
import { settingsQuery } from '../../app/queries/settings.query';

/** A text in which the tag `<admin>` is a link where the settings have a contact address. */
export function ContactText({ text }: { text: string }) {
  const { data: settings } = useQuery(settingsQuery);
  const url = settings?.links.contactUrl;
  return <RichText text={text} tags={{ admin: (words) => (url ? <TextLink href={url}>{words}</TextLink> : words) }} />;
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
