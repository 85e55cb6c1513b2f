import { Box, Flex } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

export function SectionHeading({ children }: { children: ReactNode }) {
  return (
    <Box as="h2" textStyle="xs" fontWeight="medium" color="fg.muted" px="2.5" py="1.5">
      {children}
    </Box>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box as="details" {...{ open: true }} css={{ '&:not([open]) summary svg': { transform: 'rotate(-90deg)' } }}>
      <Flex
        as="summary"
        align="center"
        justify="space-between"
        px="2.5"
        py="1.5"
        minH="9"
        cursor="pointer"
        borderRadius="l2"
        textStyle="xs"
        fontWeight="medium"
        color="fg.muted"
        listStyleType="none"
        focusVisibleRing="inside"
        _hover={{ color: 'fg' }}
        css={{ '&::-webkit-details-marker': { display: 'none' } }}
      >
        {title}
        <Box asChild transition="transform 120ms ease-out">
          <ChevronDown size={14} aria-hidden />
        </Box>
      </Flex>
      {children}
    </Box>
  );
}
