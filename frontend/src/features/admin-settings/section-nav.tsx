import { Flex } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { SECTIONS } from './sections';
import { useSectionInView } from './use-section-in-view';

/** Links to the sections: a column beside them, or a sticky row above them where the page is narrow. */
export function SectionNav() {
  const current = useSectionInView();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = list.current;
    const link = row?.querySelector<HTMLElement>('[aria-current]');
    // Not scrollIntoView, which would also scroll the page.
    if (row && link) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <Flex
      ref={list}
      as="nav"
      aria-label="Sections"
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
      bg="bg"
      scrollbarWidth="none"
    >
      {SECTIONS.map(({ id, title }) => (
        <Flex
          asChild
          key={id}
          align="center"
          flexShrink={0}
          px="3"
          minH={{ base: '10', xl: '8' }}
          borderRadius="l2"
          color={id === current ? 'fg' : 'fg.muted'}
          bg={id === current ? 'bg.emphasized' : undefined}
          fontWeight={id === current ? 'medium' : undefined}
          focusVisibleRing="inside"
          _hover={{ color: 'fg' }}
        >
          <Link to="/admin/settings" hash={id} replace aria-current={id === current ? 'location' : undefined}>
            {title}
          </Link>
        </Flex>
      ))}
    </Flex>
  );
}
