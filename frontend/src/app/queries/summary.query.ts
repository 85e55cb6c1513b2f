import { useQuery } from '@tanstack/react-query';
import type { Thread, ThreadSummary } from '@tanya/contract';
import { api } from '../api/api-client';
import { hasCode } from '../api/api-error';
import { queryClient } from './query-client';
import { QUERY_KEYS } from './query-keys';
import { type ThreadPages, withChanges } from './thread-list';
import { threadKey, threadQuery } from './threads.query';

/** Threads whose summary is being undone: a read that meets the deletion would find nothing. */
const undoing = new Set<number>();

/** The summary that stands for earlier messages of the shown path in prompts; null without one. */
export function useThreadSummary(thread: Pick<Thread, 'id' | 'updatedAt' | 'hasSummary'> | null): ThreadSummary | null {
  const isSummarised = thread?.hasSummary === true;
  const { data } = useQuery({
    queryKey: ['threads', thread?.id, 'summary', thread?.updatedAt],
    queryFn: async ({ signal }): Promise<ThreadSummary | null> => {
      if (undoing.has(thread!.id)) return null;
      try {
        return await api.get<ThreadSummary>(`/api/chat/threads/${thread?.id}/summary`, signal);
      } catch (error) {
        // Only another path has one.
        if (hasCode(error, 'not_found')) return null;
        throw error;
      }
    },
    enabled: isSummarised,
    // The line stays while it is read again after an answer, but not in another chat.
    placeholderData: (previous, query) => (query?.queryKey[1] === thread?.id ? previous : undefined),
  });
  return isSummarised ? (data ?? null) : null;
}

/** Writes a summary of the shown path. It takes as long as an answer. */
export async function writeSummary(threadId: number): Promise<void> {
  await api.post<ThreadSummary>(`/api/chat/threads/${threadId}/compact`);
  await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
  await queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey });
  await queryClient.invalidateQueries({ queryKey: [...threadKey(threadId), 'summary'] });
}

export async function undoSummary(threadId: number): Promise<void> {
  const summaries = { queryKey: [...threadKey(threadId), 'summary'] };
  const lists = { queryKey: QUERY_KEYS.threadLists };
  const { queryKey } = threadQuery(threadId);
  const changes = { hasSummary: false };
  undoing.add(threadId);
  try {
    await queryClient.cancelQueries(summaries);
    await api.delete(`/api/chat/threads/${threadId}/summary`);
    // Reads that began before would say that there is one still.
    await Promise.all([queryClient.cancelQueries(lists), queryClient.cancelQueries({ queryKey })]);
    queryClient.setQueriesData<ThreadPages>(lists, (pages) => (pages ? withChanges(pages, threadId, changes) : pages));
    queryClient.setQueryData(queryKey, (thread) => thread && { ...thread, ...changes });
    await queryClient.invalidateQueries({ ...summaries, refetchType: 'none' });
  } finally {
    undoing.delete(threadId);
  }
  // Another path may have one.
  void queryClient.invalidateQueries(lists);
  void queryClient.invalidateQueries({ queryKey });
}
