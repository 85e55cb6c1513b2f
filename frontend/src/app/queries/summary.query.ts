import { useQuery } from '@tanstack/react-query';
import type { Thread, ThreadSummary } from '@tanya/contract';
import { api } from '../api/api-client';
import { hasCode } from '../api/api-error';
import { queryClient } from './query-client';
import { QUERY_KEYS } from './query-keys';
import { threadQuery } from './threads.query';

/** The summary that stands for earlier messages of the shown path in prompts; null without one. */
export function useThreadSummary(thread: Pick<Thread, 'id' | 'updatedAt' | 'hasSummary'> | null): ThreadSummary | null {
  const isSummarised = thread?.hasSummary === true;
  const { data } = useQuery({
    queryKey: ['threads', thread?.id, 'summary', thread?.updatedAt],
    queryFn: async ({ signal }): Promise<ThreadSummary | null> => {
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
  await refresh(threadId);
}

export async function undoSummary(threadId: number): Promise<void> {
  await api.delete(`/api/chat/threads/${threadId}/summary`);
  await refresh(threadId);
}

async function refresh(threadId: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
  await queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey });
  await queryClient.invalidateQueries({ queryKey: ['threads', threadId, 'summary'] });
}
