import { Box, Flex } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { toggleSection, useIsSectionOpen, type SectionName } from './sections-store';

interface SectionProps {
  name: SectionName;
  title: string;
  children: ReactNode;
}

/** A foldable section of the sidebar. */
export function Section({ name, title, children }: SectionProps) {
  const isOpen = useIsSectionOpen(name);
  return (
    <Box as="details" {...{ open: isOpen }}>
      <Flex
        as="summary"
        align="center"
        justify="space-between"
        px="2.5"
        minH="8"
        cursor="pointer"
        borderRadius="l2"
        textStyle="xs"
        fontWeight="medium"
        color="fg.muted"
        listStyleType="none"
        focusVisibleRing="inside"
        _hover={{ bg: 'bg.muted', color: 'fg' }}
        css={{ '&::-webkit-details-marker': { display: 'none' } }}
        onClick={(event) => {
          event.preventDefault();
          toggleSection(name, !isOpen);
        }}
      >
        {title}
        <Box asChild transition="transform 120ms ease-out" transform={isOpen ? undefined : 'rotate(-90deg)'}>
          <ChevronDown size={14} aria-hidden />
        </Box>
      </Flex>
      {children}
    </Box>
  );
}
