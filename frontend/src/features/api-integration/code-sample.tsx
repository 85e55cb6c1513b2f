import { Box } from '@chakra-ui/react';
import { CopyButton } from '../../components/copy-button';

export function CodeSample({ code, label }: { code: string; label: string }) {
  return (
    <Box position="relative" borderWidth="1px" borderRadius="l2" bg="bg.subtle">
      <Box
        as="pre"
        tabIndex={0}
        role="region"
        aria-label={label}
        overflowX="auto"
        p="4"
        pe="12"
        fontFamily="mono"
        textStyle="caption"
        lineHeight="1.6"
      >
        <code>{code}</code>
      </Box>
      <Box position="absolute" top="1.5" insetEnd="1.5" bg="bg.subtle" borderRadius="l2">
        <CopyButton label={`Copy ${label}`} text={() => code} />
      </Box>
    </Box>
  );
}
