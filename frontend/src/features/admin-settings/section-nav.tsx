import { Flex } from '@chakra-ui/react';
import { useLinkProps } from '@tanstack/react-router';
import { t } from '../../app/i18n/translate';
import { type SectionId, SECTIONS } from './sections';
import { useSectionInView } from './use-section-in-view';

/** Links to the sections: a column beside them, or rows above them where the page is narrow; on phones they scroll away. */
export function SectionNav() {
  const current = useSectionInView();
  return (
    <Flex
      as="nav"
      aria-label={t('settingsPage.sections')}
      position={{ base: 'static', md: 'sticky' }}
      // Offsets count from the padding of the page, which the row covers.
      top={{ md: '-8', xl: '0' }}
      zIndex="docked"
      alignSelf="start"
      direction={{ base: 'row', xl: 'column' }}
      gap="1"
      width="100%"
      py={{ base: '2', xl: '0' }}
      wrap={{ base: 'wrap', xl: 'nowrap' }}
      bg="bg"
    >
      {SECTIONS.map(({ id, title }) => (
        <SectionLink key={id} id={id} text={t(title)} isCurrent={id === current} />
      ))}
    </Flex>
  );
}

function SectionLink({ id, text, isCurrent }: { id: SectionId; text: string; isCurrent: boolean }) {
  const link = useLinkProps({ to: '/admin/{-$page}', params: { page: 'settings' }, hash: id, replace: true });
  return (
    <Flex
      asChild
      align="center"
      flexShrink={0}
      px="3"
      minH={{ base: '10', xl: '8' }}
      borderRadius="l2"
      color={isCurrent ? 'fg' : 'fg.muted'}
      bg={isCurrent ? 'bg.emphasized' : undefined}
      fontWeight={isCurrent ? 'medium' : undefined}
      focusVisibleRing="inside"
      _hover={{ color: 'fg' }}
    >
      {/* The router would call every link to this page the current one. */}
      <a {...link} aria-current={isCurrent ? 'location' : undefined}>
        {text}
      </a>
    </Flex>
  );
}
