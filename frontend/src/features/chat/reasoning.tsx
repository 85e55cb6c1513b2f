import { Box, chakra } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';

/** What the model thought aloud, folded above its answer. */
export function Reasoning({ text, isThinking }: { text: string; isThinking: boolean }) {
  if (!text) return null;
  return (
    <chakra.details
      mb="2"
      color="fg.muted"
      textStyle="sm"
      css={{ '&[open] > summary svg': { transform: 'rotate(90deg)' } }}
    >
      <chakra.summary
        display="inline-flex"
        alignItems="center"
        gap="1"
        cursor="pointer"
        listStyle="none"
        borderRadius="l1"
        minH={{ base: '10', md: '6' }}
        css={{ '&::-webkit-details-marker': { display: 'none' } }}
      >
        <ChevronRight size={14} aria-hidden />
        {isThinking ? 'Reasoning…' : 'Reasoning'}
      </chakra.summary>
      <Box
        mt="1"
        ps="3"
        borderStartWidth="2px"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        maxH="20rem"
        overflowY="auto"
      >
        {text}
      </Box>
    </chakra.details>
  );
}
