import { Box, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A labelled value in the `dl` of an entry; nothing without a value. */
export function EntryField({ label, value }: { label: string; value: ReactNode }) {
  if (!value) return null;
  return (
    <Box minW="0">
      <Text as="dt" textStyle="xs" color="fg.muted">
        {label}
      </Text>
      <Box as="dd" overflowWrap="anywhere">
        {value}
      </Box>
    </Box>
  );
}
