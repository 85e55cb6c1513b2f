import { Flex } from '@chakra-ui/react';
import { useLinkProps } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { type SectionId, SECTIONS } from './sections';

/** Links to the sections: a column beside them, or above them one row that scrolls sideways where the page is narrow. */
export function SectionNav() {
  const current = useSectionInView();
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => showCurrent(row.current), [current]);
  return (
    <Flex
      as="nav"
      ref={row}
      aria-label={t('settingsPage.sections')}
      position="sticky"
      // Offsets count from the padding of the page, which the row covers.
      top={{ base: '-5', md: '-8', xl: '0' }}
      zIndex="docked"
      alignSelf="start"
      direction={{ base: 'row', xl: 'column' }}
      gap="1"
      width="100%"
      py={{ base: '2', xl: '0' }}
      overflowX={{ base: 'auto', xl: 'visible' }}
      // A finger needs no bar: the cut link at the end of the row shows that there are more. A mouse scrolls by the bar.
      css={{ scrollbarWidth: 'thin', '@media (hover: none)': { scrollbarWidth: 'none' } }}
      bg="bg"
    >
      {SECTIONS.map(({ id, title }) => (
        <SectionLink key={id} id={id} text={t(title)} isCurrent={id === current} />
      ))}
    </Flex>
  );
}

/** Scrolls the row alone: `scrollIntoView` would move the page too. */
function showCurrent(row: HTMLElement | null): void {
  const link = row?.querySelector('[aria-current]');
  if (!row || !link) return;
  const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
  row.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
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

/**
 * A section counts as current from this line on, px below the top of the page: a link scrolls to 32 or 64 px, and no section
 * is so short that the next one begins above the line then.
 */
const LINE = 112;

/** The section that is being read: the last one that begins above the line, or the last one at the end of the page. */
function useSectionInView(): SectionId {
  const [current, setCurrent] = useState<SectionId>(SECTIONS[0].id);
  useEffect(() => {
    const scroller = document.getElementById(SECTIONS[0].id)?.closest('main');
    if (!scroller) return;
    const update = () => setCurrent(sectionAt(scroller));
    update();
    scroller.addEventListener('scroll', update, { passive: true });
    return () => scroller.removeEventListener('scroll', update);
  }, []);
  return current;
}

function sectionAt(scroller: HTMLElement): SectionId {
  const isAtEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  if (isAtEnd) return SECTIONS.at(-1)!.id;
  const line = scroller.getBoundingClientRect().top + LINE;
  const above = SECTIONS.filter(({ id }) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top;
    return top !== undefined && top < line;
  });
  return above.at(-1)?.id ?? SECTIONS[0].id;
}
