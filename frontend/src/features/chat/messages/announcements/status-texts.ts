import type { Message } from '@tanya/contract';
import { sentenceOf } from '../../../../app/i18n/error-sentence';
import { t } from '../../../../app/i18n/translate';
import type { SendError } from '../../client/outbox-store';

/** Why a send was refused, and when it can be retried. */
export function refusalOf(error: SendError): string {
  const sentence = sentenceOf(error);
  return error.retryAfter ? `${sentence} ${t('message.retryAfter', { seconds: error.retryAfter })}` : sentence;
}

/** Why an answer ended early; null for a complete or running one. */
export function endOf({ status, error }: Message): string | null {
  if (status === 'stopped') return t('message.stopped');
  if (status === 'interrupted') return error?.params?.['reason'] ? sentenceOf(error) : t('message.interrupted');
  if (status === 'error') return error ? sentenceOf(error) : t('message.failed');
  return null;
}
