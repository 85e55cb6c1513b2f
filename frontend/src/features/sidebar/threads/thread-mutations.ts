import { useNavigate, useParams } from '@tanstack/react-router';
import type { ContinueShareResponse, Thread } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { hasCode } from '../../../app/api/api-error';
import { slideOut } from '../../../app/state/sidebar';
import { dropThread } from '../../../app/sync/thread-list-cache';
import { queryClient } from '../../../app/queries/query-client';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../components/feedback/fail';
import { offerUndo } from './trash';

/** Copies a chat and opens the copy. @returns starts it for a thread */
export function useDuplicate(): (threadId: number) => void {
  const navigate = useNavigate();
  const { mutate } = useSingleFlightMutation({
    mutationFn: (threadId: number) => api.post<ContinueShareResponse>(`/api/chat/threads/${threadId}/duplicate`),
    onSuccess: async ({ threadId }) => {
      await queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
      slideOut();
      await navigate({ to: '/chat/$id', params: { id: threadId } });
    },
    onError: fail('order.duplicateFailed'),
  });
  return mutate;
}

export function useDeleteThread(thread: Thread, onDone: () => void) {
  const navigate = useNavigate();
  const openId = useParams({ strict: false }).id;
  return useSingleFlightMutation({
    mutationFn: async () => {
      // The event of the deletion may arrive before the answer, and the conversation is then closed already.
      const wasOpen = openId === thread.id;
      try {
        await api.delete(`/api/chat/threads/${thread.id}`);
      } catch (error) {
        // Another tab has already deleted the thread.
        if (!hasCode(error, 'not_found')) throw error;
      }
      return wasOpen;
    },
    onSuccess: async (wasOpen) => {
      if (wasOpen) await navigate({ to: '/' });
      dropThread(thread.id);
      onDone();
      const open = () => {
        slideOut();
        void navigate({ to: '/chat/$id', params: { id: thread.id } });
      };
      offerUndo([thread.id], wasOpen ? open : undefined);
    },
    onError: fail('threads.deleteFailed'),
  });
}
