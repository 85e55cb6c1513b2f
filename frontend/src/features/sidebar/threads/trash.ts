import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { failureNotice } from '../../../components/feedback/fail';
import { type Notice, notify } from '../../../components/feedback/notify';
import { type BatchResult, postBatch } from './post-batch';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

const RESTORE = 'restore';

/**
 * The notice of a deletion, with Undo.
 * @param onRestored runs after a press of Undo
 * @param problem what it says instead, because a notice takes the place of the one before
 */
export function offerUndo(ids: readonly number[], onRestored?: () => void, problem?: Notice): void {
  notify({
    title: ids.length === 1 ? t('threads.deleted') : t('order.deletedDone', { count: ids.length }),
    ...problem,
    action: ids.length > 0 ? { label: t('order.undo'), run: () => void restoreThreads(ids, onRestored) } : undefined,
  });
}

/** Takes a deletion back. What a failure leaves deleted has Undo again. */
async function restoreThreads(ids: readonly number[], onRestored?: () => void): Promise<void> {
  const notReached = (failure: unknown): BatchResult => ({ ids: [], skipped: [], failure });
  const { ids: restored, skipped, failure } = await postBatch({ action: RESTORE, ids: [...ids] }).catch(notReached);
  if (restored.length > 0) await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
  if (failure !== undefined) {
    const reached = new Set([...restored, ...skipped.map(({ id }) => id)]);
    offerUndo(
      ids.filter((id) => !reached.has(id)),
      onRestored,
      failureNotice('order.restoreFailed', failure),
    );
  } else if (restored.length < ids.length) {
    notify({ title: t('order.tooLate', { count: ids.length - restored.length }), kind: 'error' });
  } else {
    notify({ title: t('order.restoredDone', { count: ids.length }) });
    onRestored?.();
  }
}
