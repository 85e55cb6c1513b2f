import { useNavigate } from '@tanstack/react-router';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { errorText } from '../../app/api/api-error';
import { hasDraftText } from '../../app/storage/drafts';
import { beginConversation } from '../../app/state/conversation';
import { openDialog } from '../../app/state/dialogs';
import { pageOwner } from '../../app/session/page-owner';
import { endSession } from '../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { notify } from '../feedback/notify';

/** Logs out, after a question if that removes the text of a draft. */
export function useAskedLogout(): { logout: () => void; isPending: boolean } {
  const { mutate, isPending } = useLogout();
  const logout = () => {
    const owner = pageOwner();
    if (owner !== null && hasDraftText(owner)) openDialog('logout');
    else mutate();
  };
  return { logout, isPending };
}

/** Ends the session on the server, then shows the home page to a guest. */
export function useLogout() {
  const navigate = useNavigate();
  return useSingleFlightMutation({
    mutationFn: () => api.post('/api/logout'),
    onSuccess: async () => {
      beginConversation();
      // The session has ended: a form with unsaved changes can no longer be saved.
      await navigate({ to: '/', ignoreBlocker: true });
      await endSession();
      notify({ title: t('auth.loggedOut'), description: t('auth.loggedOutHint') });
    },
    onError: (error) => notify({ title: t('auth.logoutFailed'), description: errorText(error), kind: 'error' }),
  });
}
