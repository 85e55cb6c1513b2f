import { Box, Flex } from '@chakra-ui/react';
import type { ProviderConnection } from '@tanya/contract';

interface Health {
  color: string;
  text: string;
  /** Cause of the last failure. */
  cause?: string;
}

/** Whether the connection answered when it was last used. */
export function ConnectionHealth({ connection }: { connection: ProviderConnection }) {
  const { color, text, cause } = healthOf(connection);
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

export function healthOf(connection: ProviderConnection): Health {
  const { isConfigured, isKeyUnreadable, lastError, lastSuccess } = connection;
  const succeeded = lastSuccess && `Last success ${formatTime(lastSuccess)}`;
  if (isKeyUnreadable) {
    return {
      color: 'fg.error',
      text: 'Key unreadable',
      cause: 'APP_SECRET has changed. Please enter the API key again.',
    };
  }
  if (lastError && (!lastSuccess || lastError.at > lastSuccess)) {
    const text = `Failed ${formatTime(lastError.at)}${succeeded ? `. ${succeeded}.` : ''}`;
    return { color: 'fg.error', text, cause: lastError.message };
  }
  if (succeeded) return { color: 'fg.success', text: succeeded };
  return { color: 'fg.subtle', text: isConfigured ? 'Not used yet' : 'No API key or base URL yet' };
}

/** Date and time in the reader's language. */
function formatTime(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
