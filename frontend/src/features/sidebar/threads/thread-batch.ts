import { useNavigate, useParams } from '@tanstack/react-router';
import type { ThreadAction, ThreadBatchRequest } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { threadQuery } from '../../../app/queries/threads.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { slideOut } from '../../../app/state/sidebar';
import { dropThread } from '../../../app/sync/thread-list-cache';
import { fail, showFailure } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { type BatchResult, postBatch } from './post-batch';
import { offerUndo } from './trash';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

const REVERSE: Partial<Record<ThreadAction, ThreadAction>> = { archive: 'unarchive', unarchive: 'archive' };

async function runBatch(request: ThreadBatchRequest): Promise<BatchResult> {
  const result = await postBatch(request);
  await refreshLists(result.ids);
  return result;
}

/** Reads the lists and the changed threads again. */
async function refreshLists(ids: readonly number[]): Promise<void> {
  for (const id of ids) void queryClient.invalidateQueries({ queryKey: threadQuery(id).queryKey });
  void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.archivedThreads });
  await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
}

/** An action on threads, with its notice and a way back. */
export function useBatch(onDone: () => void = () => undefined) {
  const navigate = useNavigate();
  const openId = useParams({ strict: false }).id;
  const mutation = useSingleFlightMutation({
    mutationFn: runBatch,
    onSuccess: async ({ ids, skipped, failure }, { action }) => {
      onDone();
      if (action === 'delete') {
        const wasOpen = openId !== undefined && ids.includes(openId);
        if (wasOpen) await navigate({ to: '/' });
        ids.forEach(dropThread);
        const open = () => {
          slideOut();
          void navigate({ to: '/chat/$id', params: { id: openId! } });
        };
        offerUndo(ids, wasOpen ? open : undefined);
      } else notifyDone(action, ids);
      const busy = skipped.filter(({ code }) => code === 'thread_busy').length;
      if (busy > 0) notify({ title: t('order.busy', { count: busy }), kind: 'error' });
      if (failure !== undefined) showBatchFailure(failure, action);
    },
    onError: (error, { action }) => showBatchFailure(error, action),
  });
  const run = (action: ThreadAction, ids: number[]) => mutation.mutate({ action, ids });
  return { run, isPending: mutation.isPending };
}

function showBatchFailure(error: unknown, action: ThreadAction): void {
  showFailure(action === 'delete' ? 'threads.deleteFailed' : 'order.failed', error);
}

function notifyDone(action: ThreadAction, ids: number[]): void {
  const back = REVERSE[action];
  if (!back || ids.length === 0) return;
  const values = { count: ids.length };
  notify({
    title: action === 'archive' ? t('order.archivedDone', values) : t('order.unarchivedDone', values),
    action: {
      label: t('order.undo'),
      run: () =>
        void runBatch({ action: back, ids }).then(
          ({ failure }) => failure !== undefined && showBatchFailure(failure, back),
          fail('order.failed'),
        ),
    },
  });
}
