import { useNavigate } from '@tanstack/react-router';
import { TEXTS } from '@tanya/contract';
import { api } from '../../app/api-client';
import { errorText } from '../../app/api-error';
import { beginConversation } from '../../app/conversation';
import { endSession } from '../../app/live-updates';
import { useChange } from '../../app/use-change';
import { notify } from '../../components/notify';

export function useLogout() {
  const navigate = useNavigate();
  return useChange({
    mutationFn: () => api.post('/api/logout'),
    onSuccess: async () => {
      beginConversation();
      await navigate({ to: '/' });
      await endSession();
      notify({ title: TEXTS.auth.loggedOut, description: TEXTS.auth.loggedOutHint });
    },
    onError: (error) => notify({ title: TEXTS.auth.logoutFailed, description: errorText(error), kind: 'error' }),
  });
}
