import { t } from '../../app/i18n/translate';
import { useLogout } from '../buttons/use-logout';
import { ConfirmDialog } from './confirm-dialog';

/** Asks before a logout that removes the drafts of the account from this browser. */
export default function LogoutDialog({ onClose }: { onClose: () => void }) {
  const logout = useLogout();
  return (
    <ConfirmDialog
      title={t('navigation.logout')}
      question={t('account.logoutQuestion')}
      action={t('navigation.logout')}
      pending={logout.isPending}
      onConfirm={() => logout.mutate()}
      onClose={onClose}
    />
  );
}
