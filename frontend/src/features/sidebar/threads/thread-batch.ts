import { useNavigate, useParams } from '@tanstack/react-router';
import type { ThreadAction, ThreadBatchRequest } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { threadQuery } from '../../../app/queries/threads.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { slideOut } from '../../../app/state/sidebar';
import { dropThread } from '../../../app/sync/thread-list-cache';
import { fail, failureNotice } from '../../../components/feedback/fail';
import { type Notice, notify } from '../../../components/feedback/notify';
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
      if (failure === undefined) onDone();
      const busy = skipped.filter(({ code }) => code === 'thread_busy').length;
      const busyNotice: Notice | undefined =
        busy > 0 ? { title: t('order.busy', { count: busy }), kind: 'error' } : undefined;
      const problem = failure === undefined ? busyNotice : batchFailure(failure, action);
      if (action === 'delete') {
        const wasOpen = openId !== undefined && ids.includes(openId);
        if (wasOpen) await navigate({ to: '/' });
        ids.forEach(dropThread);
        const open = () => {
          slideOut();
          void navigate({ to: '/chat/$id', params: { id: openId! } });
        };
        offerUndo(ids, wasOpen ? open : undefined, problem);
      } else notifyDone(action, ids, problem);
    },
    onError: (error, { action }) => notify(batchFailure(error, action)),
  });
  const run = (action: ThreadAction, ids: number[]) => mutation.mutate({ action, ids });
  return { run, isPending: mutation.isPending };
}

const batchFailure = (error: unknown, action: ThreadAction): Notice =>
  failureNotice(action === 'delete' ? 'threads.deleteFailed' : 'order.failed', error);

function notifyDone(action: ThreadAction, ids: number[], problem?: Notice): void {
  const back = REVERSE[action];
  if (!back || ids.length === 0) return problem && notify(problem);
  const values = { count: ids.length };
  notify({
    title: action === 'archive' ? t('order.archivedDone', values) : t('order.unarchivedDone', values),
    ...problem,
    action: {
      label: t('order.undo'),
      run: () =>
        void runBatch({ action: back, ids }).then(
          ({ failure }) => failure !== undefined && notify(batchFailure(failure, back)),
          fail('order.failed'),
        ),
    },
  });
}
