import { Box, Flex } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { toggleSection, useIsSectionOpen, type SectionName } from './sections-store';

interface SectionProps {
  name: SectionName;
  title: string;
  /** Whether the shown page is one of the section. */
  isHere?: boolean;
  /** What stands beside the title while the section is folded. */
  folded?: ReactNode;
  children: ReactNode;
}

export function Section({ name, title, isHere = false, folded, children }: SectionProps) {
  const isOpen = useIsSectionOpen(name, isHere);
  return (
    <>
      <Flex align="center" gap="0.5">
        <Flex
          asChild
          align="center"
          gap="1.5"
          flex="1"
          whiteSpace="nowrap"
          px="2.5"
          minH="8"
          borderRadius="l2"
          textStyle="xs"
          fontWeight="medium"
          color="fg.muted"
          textAlign="start"
          focusVisibleRing="inside"
          _hover={{ bg: 'bg.muted', color: 'fg' }}
        >
          <button type="button" aria-expanded={isOpen} onClick={() => toggleSection(name, !isOpen)}>
            {title}
            <Box
              asChild
              flexShrink={0}
              transition="transform 120ms ease-out"
              transform={isOpen ? undefined : 'rotate(-90deg)'}
              _rtl={isOpen ? undefined : { transform: 'rotate(90deg)' }}
            >
              <ChevronDown size={14} aria-hidden />
            </Box>
          </button>
        </Flex>
        {!isOpen && folded}
      </Flex>
      {isOpen && children}
    </>
  );
}
