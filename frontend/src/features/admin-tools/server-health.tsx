import type { ToolServer } from '@tanya/contract';
import { formatDateTime } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { type Health, HealthLine } from '../../components/feedback/health-line';
import { failureText } from './failure-text';

export function ServerHealth({ server }: { server: ToolServer }) {
  return <HealthLine {...healthOf(server)} />;
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
