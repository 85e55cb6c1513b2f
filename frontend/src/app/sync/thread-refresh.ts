import type { Query } from '@tanstack/react-query';
import type { Thread } from '@tanya/contract';
import { api, type Page } from '../api/api-client';
import { queryClient } from '../queries/query-client';
import { threadMessagesQuery, threadQuery, threadsPath, threadsQuery } from '../queries/threads.query';
import { mergeNewest, type ThreadPages } from '../queries/thread-list';

/** Threads that changed since the last read of the list began. */
const changed = new Set<number>();
let isReading = false;

/**
 * Reads the newest page of the thread list into the cache. Messages are only marked as stale: generation events keep the
 * open thread current, and another thread is read when it is opened.
 */
export async function refreshThreads(ids: number[]): Promise<void> {
  for (const id of ids) {
    changed.add(id);
    void queryClient.invalidateQueries({ queryKey: threadMessagesQuery(id).queryKey, refetchType: 'none' });
    void queryClient.invalidateQueries({ queryKey: threadQuery(id).queryKey });
  }
  // One read at a time: the answers of two could arrive in the wrong order.
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
  // A list that is not in the cache is read in full when a screen needs it.
  if (!query?.state.data) return;
  const { dataUpdateCount } = query.state;
  const newest: Page<Thread> = await api.getPage<Thread>(threadsPath(null));
  const isOvertaken = query.state.dataUpdateCount !== dataUpdateCount || query.state.fetchStatus !== 'idle';
  if (isOvertaken || listInCache() !== query) {
    // The list changed during the read, such as by a deletion, so this answer is outdated.
    for (const id of ids) changed.add(id);
    return;
  }
  const merged = mergeNewest(query.state.data, newest);
  queryClient.setQueryData<ThreadPages>(queryKey, merged);
  // Such a thread is on a later page, or it was archived, restored or taken out of the archive.
  const isElsewhere = ids.some((id) => !newest.items.some((thread) => thread.id === id));
  if (isElsewhere) await queryClient.invalidateQueries({ queryKey });
}

function listInCache(): Query<ThreadPages> | undefined {
  return queryClient.getQueryCache().find<ThreadPages>({ queryKey: threadsQuery().queryKey });
}
