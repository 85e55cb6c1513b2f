import type { ProviderConnection } from '@tanya/contract';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { type Health, HealthLine } from '../../../components/feedback/health-line';
import { failureSentence } from './fault-sentence';

export function ConnectionHealth({ connection }: { connection: ProviderConnection }) {
  return <HealthLine {...healthOf(connection)} />;
}

export function healthOf(connection: ProviderConnection): Health {
  const { isConfigured, isKeyUnreadable, lastError, lastSuccess } = connection;
  const succeeded = lastSuccess && t('connections.lastSuccess', { time: formatDateTime(new Date(lastSuccess)) });
  if (isKeyUnreadable) {
    return {
      color: 'fg.error',
      text: t('connections.keyUnreadable'),
      cause: t('connections.secretChanged'),
    };
  }
  if (lastError && (!lastSuccess || lastError.at > lastSuccess)) {
    const failed = t('connections.failed', { time: formatDateTime(new Date(lastError.at)) });
    const text = succeeded ? `${failed}. ${succeeded}.` : failed;
    return { color: 'fg.error', text, cause: failureSentence(lastError) };
  }
  if (succeeded) return { color: 'fg.success', text: succeeded };
  return { color: 'fg.subtle', text: isConfigured ? t('connections.unused') : t('connections.unconfigured') };
}
