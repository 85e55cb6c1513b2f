import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';

export function Bubble({ children }: { children: ReactNode }) {
  return (
    <Box
      className="user-bubble"
      bg="bg.bubble"
      borderRadius="bubble"
      borderTopEndRadius="l1"
      px="4"
      py="2.5"
      maxW="100%"
      minW="0"
    >
      {children}
    </Box>
  );
}

/** Text as it was typed, with its line breaks. Each line has the direction of its own script. */
export function TypedText({ children }: { children: string }) {
  return (
    <Box dir="auto" unicodeBidi="plaintext" textStyle="message" whiteSpace="pre-wrap" overflowWrap="anywhere">
      {children}
    </Box>
  );
}
