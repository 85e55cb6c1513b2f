import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { queryClient } from '../../app/queries/query-client';
import { QUERY_KEYS } from '../../app/queries/query-keys';
import { withChanges, type ThreadPages } from '../../app/queries/thread-list';
import { threadQuery } from '../../app/queries/threads.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../feedback/fail';
import { notify } from '../feedback/notify';

/** Stores the title of a thread, shows it everywhere, and reports the end. */
export function useRenameThread(threadId: number, onDone?: () => void) {
  return useSingleFlightMutation({
    mutationFn: (title: string) => api.patch(`/api/chat/threads/${threadId}`, { title }),
    onSuccess: (_answer, title) => {
      queryClient.setQueriesData<ThreadPages>({ queryKey: QUERY_KEYS.threadLists }, (pages) =>
        pages ? withChanges(pages, threadId, { title }) : pages,
      );
      queryClient.setQueryData(threadQuery(threadId).queryKey, (thread) => thread && { ...thread, title });
      onDone?.();
      notify({ title: t('threads.renamed') });
    },
    onError: fail('threads.renameFailed'),
  });
}
