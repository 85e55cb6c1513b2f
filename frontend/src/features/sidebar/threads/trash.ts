import { queryOptions } from '@tanstack/react-query';
import { LIST_MAX, type Thread } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { api, type Page } from '../../../app/api/api-client';
import { errorText } from '../../../app/api/api-error';
import { queryClient } from '../../../app/queries/query-client';
import { notify } from '../../../components/feedback/notify';
import { postBatch } from './post-batch';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

const RESTORE = 'restore';

/** The deleted threads that can still be restored, by any tab. */
export const trashQuery = queryOptions({
  queryKey: ['threads', 'trash'],
  queryFn: ({ signal }) => readTrash(signal),
  staleTime: 0,
});

/** Reads all pages, because the offer to undo covers a whole deletion. */
async function readTrash(signal: AbortSignal): Promise<Thread[]> {
  const first = `/api/chat/threads?state=trash&limit=${LIST_MAX}`;
  const deleted: Thread[] = [];
  for (let path: string | null = first; path !== null;) {
    const { items, nextCursor }: Page<Thread> = await api.getPage<Thread>(path, signal);
    deleted.push(...items);
    path = nextCursor && `${first}&before=${encodeURIComponent(nextCursor)}`;
  }
  return deleted;
}

/** The notice of a deletion, with Undo. @param onRestored runs after a press of Undo */
export function offerUndo(ids: readonly number[], onRestored?: () => void): void {
  void queryClient.invalidateQueries({ queryKey: trashQuery.queryKey });
  const run = () => void restoreThreads(ids).then((isRestored) => isRestored && onRestored?.());
  notify({
    title: ids.length === 1 ? t('threads.deleted') : t('order.deletedDone', { count: ids.length }),
    action: { label: t('order.undo'), run },
  });
}

/** Takes a deletion back. @returns whether all threads came back */
export async function restoreThreads(ids: readonly number[]): Promise<boolean> {
  try {
    const { ids: restored } = await postBatch({ action: RESTORE, ids: [...ids] });
    queryClient.setQueryData<Thread[]>(trashQuery.queryKey, (shown) => shown?.filter(({ id }) => !ids.includes(id)));
    await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
    const isWhole = restored.length === ids.length;
    if (isWhole) notify({ title: t('order.restoredDone', { count: restored.length }) });
    else notify({ title: t('order.tooLate', { count: ids.length - restored.length }), kind: 'error' });
    return isWhole;
  } catch (error) {
    notify({ title: t('order.restoreFailed'), description: errorText(error), kind: 'error' });
    return false;
  }
}
