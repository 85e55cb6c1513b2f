import type { Thread } from '@tanya/contract';
import { queryClient } from '../queries/query-client';
import { type ThreadPages, withoutActivity, withoutThread } from '../queries/thread-list';
import { removeThread } from '../state/thread-activity';
import { threadKey } from '../queries/threads.query';
import { QUERY_KEYS } from '../queries/query-keys';

/** Removes a deleted thread from every cached list. A screen that shows the thread decides where to navigate. */
export function dropThread(threadId: number): void {
  queryClient.setQueriesData<ThreadPages>({ queryKey: QUERY_KEYS.threadLists }, (pages) =>
    pages ? withoutThread(pages, threadId) : pages,
  );
  queryClient.setQueryData<Thread[]>(QUERY_KEYS.waitingThreads, (threads) =>
    threads?.filter(({ id }) => id !== threadId),
  );
  const read = { queryKey: threadKey(threadId) };
  void queryClient.cancelQueries(read);
  queryClient.removeQueries({ ...read, type: 'inactive' });
  // A screen that leaves would ask for what is removed. Its next visit asks.
  void queryClient.invalidateQueries({ ...read, refetchType: 'none' });
  removeThread(threadId);
}

/** Clears the marks in lists that were read before the end of the answer. */
export function clearActivity(threadId: number): void {
  queryClient.setQueriesData<ThreadPages>({ queryKey: QUERY_KEYS.threadLists }, (pages) =>
    pages ? withoutActivity(pages, threadId) : pages,
  );
}
