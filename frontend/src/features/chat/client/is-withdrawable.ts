import type { PendingSend } from './outbox-store';

/** Whether the message may be edited or dropped: as another message it would be created twice if it was accepted. */
export function isWithdrawable({ request, isUnanswered }: PendingSend): boolean {
  return request.event !== 'generation:start' || !isUnanswered;
}
