import { useNavigate } from '@tanstack/react-router';
import type { ProviderAddress } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { beginConversation } from '../../app/state/conversation';
import { endSession } from '../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../feedback/fail';
import { notify } from '../feedback/notify';

/** Ends the session on the server, then shows the home page to a guest. */
export function useLogout() {
  const navigate = useNavigate();
  return useSingleFlightMutation({
    mutationFn: () => api.post<ProviderAddress | undefined>('/api/logout'),
    onSuccess: async (provider) => {
      beginConversation();
      // The session has ended: a form with unsaved changes can no longer be saved.
      await navigate({ to: '/', ignoreBlocker: true });
      await endSession();
      // The session at the identity provider ends there.
      if (provider?.url) return window.location.assign(provider.url);
      notify({ title: t('auth.loggedOut'), description: t('auth.loggedOutHint') });
    },
    onError: fail('auth.logoutFailed'),
  });
}
