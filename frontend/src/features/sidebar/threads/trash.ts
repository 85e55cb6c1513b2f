import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { showFailure } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { postBatch } from './post-batch';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

const RESTORE = 'restore';

/** The notice of a deletion, with Undo. @param onRestored runs after a press of Undo */
export function offerUndo(ids: readonly number[], onRestored?: () => void): void {
  const run = () => void restoreThreads(ids).then((isRestored) => isRestored && onRestored?.());
  notify({
    title: ids.length === 1 ? t('threads.deleted') : t('order.deletedDone', { count: ids.length }),
    action: { label: t('order.undo'), run },
  });
}

/** Takes a deletion back. @returns whether all threads came back */
async function restoreThreads(ids: readonly number[]): Promise<boolean> {
  try {
    const { ids: restored } = await postBatch({ action: RESTORE, ids: [...ids] });
    await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
    const isWhole = restored.length === ids.length;
    if (isWhole) notify({ title: t('order.restoredDone', { count: restored.length }) });
    else notify({ title: t('order.tooLate', { count: ids.length - restored.length }), kind: 'error' });
    return isWhole;
  } catch (error) {
    showFailure('order.restoreFailed', error);
    return false;
  }
}
