import { mayUsePremium, type Message, type User } from '@tanya/contract';
import { sentenceOf } from '../../../../app/i18n/error-sentence';
import { t } from '../../../../app/i18n/translate';
import type { SendError } from '../../client/outbox-store';
import { usedUpReason } from '../../shared/used-up-reason';

/** Why a send of the user was refused, and when it can be retried. The tag `<admin>` is for a link to the contact. */
export function refusalOf(error: SendError, user: User | null | undefined): string {
  // No Upgrade button is shown, so the sentence says what to do.
  if (error.code === 'quota_exceeded' && mayUsePremium(user)) return t(usedUpReason(user, false));
  const sentence = sentenceOf(error);
  return error.retryAfter ? `${sentence} ${retryIn(error.retryAfter)}` : sentence;
}

/** Two minutes and more in minutes, two hours and more in hours. */
function retryIn(seconds: number): string {
  if (seconds < 120) return t('message.retryAfter', { seconds });
  if (seconds < 7_200) return t('message.retryMinutes', { minutes: Math.ceil(seconds / 60) });
  return t('message.retryHours', { hours: Math.ceil(seconds / 3_600) });
}

/** Why an answer ended early; null for a complete or running one. */
export function endOf({ status, error }: Message): string | null {
  if (status === 'stopped') return t('message.stopped');
  if (status === 'interrupted') return error?.params?.['reason'] ? sentenceOf(error) : t('message.interrupted');
  if (status === 'error') return error ? sentenceOf(error) : t('message.failed');
  return null;
}
