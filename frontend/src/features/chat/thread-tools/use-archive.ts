import type { Thread } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { threadQuery } from '../../../app/queries/threads.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../components/feedback/fail';

/** Archives the open chat, or takes it back to the list. */
export const useArchive = (threadId: number) =>
  useSingleFlightMutation({
    mutationFn: (isArchived: boolean) => api.patch<Thread>(`/api/chat/threads/${threadId}`, { isArchived }),
    onSuccess: (thread) => {
      // The chat leaves the list, where the page has read it: without this it would have no title until it is read alone.
      queryClient.setQueryData(threadQuery(threadId).queryKey, thread);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.archivedThreads });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
    },
    onError: fail('order.failed'),
  });
