import { useNavigate, useParams } from '@tanstack/react-router';
import { TEXTS, type Thread } from '@tanya/contract';
import { api } from '../../app/api-client';
import { errorText, hasCode } from '../../app/api-error';
import { dropThread } from '../../app/live-updates';
import { queryClient } from '../../app/query-client';
import { withTitle, type ThreadPages } from '../../app/thread-list';
import { useChange } from '../../app/use-change';
import { notify } from '../../components/notify';

export function useRenameThread(thread: Thread, onDone: () => void) {
  return useChange({
    mutationFn: (title: string) => api.patch(`/api/chat/threads/${thread.id}`, { title }),
    onSuccess: (_answer, title) => {
      queryClient.setQueriesData<ThreadPages>({ queryKey: ['threads', 'list'] }, (pages) =>
        pages ? withTitle(pages, thread.id, title) : pages,
      );
      onDone();
      notify({ title: TEXTS.threads.renamed });
    },
    onError: (error) => notify({ title: TEXTS.threads.renameFailed, description: errorText(error), kind: 'error' }),
  });
}

export function useDeleteThread(thread: Thread, onDone: () => void) {
  const navigate = useNavigate();
  const openId = useParams({ strict: false }).id;
  return useChange({
    mutationFn: async () => {
      try {
        await api.delete(`/api/chat/threads/${thread.id}`);
      } catch (error) {
        // Another tab was quicker; gone is what was asked for.
        if (!hasCode(error, 'not_found')) throw error;
      }
    },
    onSuccess: async () => {
      if (openId === thread.id) await navigate({ to: '/' });
      dropThread(thread.id);
      onDone();
      notify({ title: TEXTS.threads.deleted });
    },
    onError: (error) => notify({ title: TEXTS.threads.deleteFailed, description: errorText(error), kind: 'error' }),
  });
}
