import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { showFailure } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { postBatch } from './post-batch';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

const RESTORE = 'restore';

/** The notice of a deletion, with Undo. @param onRestored runs after a press of Undo */
export function offerUndo(ids: readonly number[], onRestored?: () => void): void {
  notify({
    title: ids.length === 1 ? t('threads.deleted') : t('order.deletedDone', { count: ids.length }),
    action: { label: t('order.undo'), run: () => void restoreThreads(ids, onRestored) },
  });
}

/** Takes a deletion back. What a failure leaves deleted has Undo again. */
async function restoreThreads(ids: readonly number[], onRestored?: () => void): Promise<void> {
  const done = await postBatch({ action: RESTORE, ids: [...ids] }).catch((failure: unknown) => ({ ids: [], failure }));
  const restored = new Set<number>(done.ids);
  if (restored.size > 0) await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
  if (done.failure !== undefined) {
    showFailure('order.restoreFailed', done.failure);
    offerUndo(
      ids.filter((id) => !restored.has(id)),
      onRestored,
    );
  } else if (restored.size < ids.length) {
    notify({ title: t('order.tooLate', { count: ids.length - restored.size }), kind: 'error' });
  } else {
    notify({ title: t('order.restoredDone', { count: ids.length }) });
    onRestored?.();
  }
}
