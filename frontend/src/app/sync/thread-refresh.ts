import type { Query } from '@tanstack/react-query';
import type { Thread } from '@tanya/contract';
import { api, type Page } from '../api/api-client';
import { queryClient } from '../queries/query-client';
import { threadMessagesQuery, threadsPath, threadsQuery } from '../queries/threads.query';
import { hasThread, mergeNewest, type ThreadPages } from '../queries/thread-list';

/** Threads that have changed since the list's last read began. */
const changed = new Set<number>();
let isReading = false;

/**
 * Brings the thread list up to date. The messages of a thread are only marked as stale: the open one is kept
 * current by its own generation events, any other is read again when it is opened.
 */
export async function refreshThreads(ids: number[]): Promise<void> {
  for (const id of ids) {
    changed.add(id);
    void queryClient.invalidateQueries({ queryKey: threadMessagesQuery(id).queryKey, refetchType: 'none' });
  }
  // One read at a time: of two, the older answer may come last.
  if (isReading) return;
  isReading = true;
  const { queryKey } = threadsQuery();
  try {
    while (changed.size > 0) await readNewest();
  } catch {
    await queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  } finally {
    changed.clear();
    isReading = false;
  }
}

async function readNewest(): Promise<void> {
  const { queryKey } = threadsQuery();
  const ids = [...changed];
  changed.clear();
  const query = listInCache();
  await query?.promise?.catch(() => undefined);
  // A list that nobody has asked for yet is read whole when somebody does.
  if (!query?.state.data) return;
  const { dataUpdateCount } = query.state;
  const newest: Page<Thread> = await api.getPage<Thread>(threadsPath('', null));
  const isOvertaken = query.state.dataUpdateCount !== dataUpdateCount || query.state.fetchStatus !== 'idle';
  if (isOvertaken || listInCache() !== query) {
    // What was done to the list meanwhile, as a thread's removal, is not known to this answer.
    for (const id of ids) changed.add(id);
    return;
  }
  const merged = mergeNewest(query.state.data, newest);
  queryClient.setQueryData<ThreadPages>(queryKey, merged);
  const isElsewhere = ids.some((id) => hasThread(merged, id) && !newest.items.some((thread) => thread.id === id));
  if (isElsewhere) await queryClient.invalidateQueries({ queryKey });
}

function listInCache(): Query<ThreadPages> | undefined {
  return queryClient.getQueryCache().find<ThreadPages>({ queryKey: threadsQuery().queryKey });
}
