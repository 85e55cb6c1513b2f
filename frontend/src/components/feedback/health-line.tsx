import { Box, Flex } from '@chakra-ui/react';

export interface Health {
  color: string;
  text: string;
  /** Cause of the last failure. */
  cause?: string;
}

/** Whether a server answered when it was last used: a coloured dot with its text. */
export function HealthLine({ color, text, cause }: Health) {
  return (
    <Flex gap="2" align="start" minW="0">
      <Box boxSize="2" mt="1.5" borderRadius="full" bg={color} flexShrink={0} aria-hidden />
      <Box minW="0" overflowWrap="anywhere">
        {text}
        {cause && <Box color="fg.error">{cause}</Box>}
      </Box>
    </Flex>
  );
}
