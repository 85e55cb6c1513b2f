import { Box, Flex } from '@chakra-ui/react';

export interface Health {
  color: string;
  text: string;
  /** Cause of the last failure. */
  cause?: string;
}

/** When something was used last, as far as it is known. */
interface Uses<E> {
  lastError: E | null;
  lastSuccess: string | null;
}

/** The last error, unless a later use succeeded. */
export const failureOf = <E extends { at: string }>({ lastError, lastSuccess }: Uses<E>): E | null =>
  lastError && (!lastSuccess || lastError.at > lastSuccess) ? lastError : null;

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
