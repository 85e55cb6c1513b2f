import { Box, Flex, Text } from '@chakra-ui/react';
import type { ToolServer } from '@tanya/contract';
import { formatDateTime } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { failureText } from './failure-text';

interface Health {
  color: string;
  text: string;
  /** Cause of the failure. */
  cause?: string;
}

/** Whether the server answered when it was last used. */
export function ServerHealth({ server }: { server: ToolServer }) {
  const { color, text, cause } = healthOf(server);
  return (
    <Flex gap="2" align="start" minW="0">
      <Box boxSize="2" mt="1.5" borderRadius="full" bg={color} flexShrink={0} aria-hidden />
      <Box minW="0" overflowWrap="anywhere">
        {text}
        {cause && <Text color="fg.error">{cause}</Text>}
      </Box>
    </Flex>
  );
}

function healthOf({ areHeadersUnreadable, lastError, lastSuccess }: ToolServer): Health {
  const succeeded = lastSuccess && t('connections.lastSuccess', { time: formatDateTime(new Date(lastSuccess)) });
  if (areHeadersUnreadable) {
    return { color: 'fg.error', text: t('toolServers.headersUnreadable'), cause: t('toolServers.secretChanged') };
  }
  if (lastError) {
    const failed = t('connections.failed', { time: formatDateTime(new Date(lastError.at)) });
    return {
      color: 'fg.error',
      text: succeeded ? `${failed}. ${succeeded}.` : failed,
      cause: failureText(lastError),
    };
  }
  return succeeded ? { color: 'fg.success', text: succeeded } : { color: 'fg.subtle', text: t('connections.unused') };
}
