import { useNavigate, useParams } from '@tanstack/react-router';
import type { Thread } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { errorText, hasCode } from '../../../app/api/api-error';
import { slideOut } from '../../../app/state/sidebar';
import { dropThread } from '../../../app/sync/thread-list-cache';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { notify } from '../../../components/feedback/notify';
import { offerUndo } from './trash';

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
    onError: (error) => notify({ title: t('threads.deleteFailed'), description: errorText(error), kind: 'error' }),
  });
}
