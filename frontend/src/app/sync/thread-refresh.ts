import type { Query } from '@tanstack/react-query';
import type { Thread } from '@tanya/contract';
import { api, type Page } from '../api/api-client';
import { ApiError } from '../api/api-error';
import { QUERY_KEYS } from '../queries/query-keys';
import { queryClient } from '../queries/query-client';
import { threadMessagesQuery, threadPath, threadQuery, threadsPath, threadsQuery } from '../queries/threads.query';
import { withNewestPage, type ThreadPages, withThread, withoutThread } from '../queries/thread-list';

/** Threads that changed since the last read of the list began. */
const changed = new Set<number>();
let isReading = false;

/** With more changes beyond the newest page, such as those of a batch, all shown pages are read again. */
const MAX_SINGLE_READS = 5;

/**
 * Reads the newest page of the thread list into the cache, and each changed thread that is not on it. Messages are only
 * marked as stale: generation events keep the open thread current, and another thread is read when it is opened.
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
  // Such a thread is on a later page, or it was archived, restored or taken out of the archive.
  const elsewhere = ids.filter((id) => !newest.items.some((thread) => thread.id === id));
  const isFew = elsewhere.length <= MAX_SINGLE_READS;
  const single = isFew ? await Promise.all(elsewhere.map(readListed)) : [];
  const isOvertaken = query.state.dataUpdateCount !== dataUpdateCount || query.state.fetchStatus !== 'idle';
  if (isOvertaken || listInCache() !== query) {
    // The list changed during the read, such as by a deletion, so this answer is outdated.
    for (const id of ids) changed.add(id);
    return;
  }
  let pages = withNewestPage(query.state.data, newest);
  for (const { id, thread } of single) pages = thread ? withThread(pages, thread) : withoutThread(pages, id);
  queryClient.setQueryData<ThreadPages>(queryKey, pages);
  if (elsewhere.length === 0) return;
  await queryClient.invalidateQueries({
    queryKey: QUERY_KEYS.threadLists,
    predicate: ({ queryHash }) => !isFew || queryHash !== query.queryHash,
  });
}

/** Reads a thread; null for one that the list does not have. */
async function readListed(id: number): Promise<{ id: number; thread: Thread | null }> {
  try {
    const thread = await api.get<Thread>(threadPath(id));
    return { id, thread: thread.isArchived || thread.temporary ? null : thread };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return { id, thread: null };
    throw error;
  }
}

function listInCache(): Query<ThreadPages> | undefined {
  return queryClient.getQueryCache().find<ThreadPages>({ queryKey: threadsQuery().queryKey });
}
