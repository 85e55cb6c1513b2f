import { useNavigate } from '@tanstack/react-router';
import { TEXTS } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { errorText } from '../../app/api/api-error';
import { beginConversation } from '../../app/state/conversation';
import { endSession } from '../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { notify } from '../../components/feedback/notify';

export function useLogout() {
  const navigate = useNavigate();
  return useSingleFlightMutation({
    mutationFn: () => api.post('/api/logout'),
    onSuccess: async () => {
      beginConversation();
      // The session has ended: a form with unsaved changes can no longer be saved.
      await navigate({ to: '/', ignoreBlocker: true });
      await endSession();
      notify({ title: TEXTS.auth.loggedOut, description: TEXTS.auth.loggedOutHint });
    },
    onError: (error) => notify({ title: TEXTS.auth.logoutFailed, description: errorText(error), kind: 'error' }),
  });
}
