import { useEffect } from 'react';
import { closeDialog, useDialogs } from '../app/dialogs';
import { startFetchingAhead } from '../components/fetch-ahead';
import { openable } from '../components/openable';

const AuthDialog = openable(() => import('../features/auth/auth-dialog'));
const AccountDialog = openable(() => import('../features/auth/account-dialog'));
const ImageDialog = openable(() => import('../features/images/image-dialog'));
const UpgradeDialog = openable(() => import('../components/upgrade-dialog'));
const ShortcutsDialog = openable(() => import('../components/shortcuts-dialog'));

/** The dialogs that any page may open by app/dialogs.ts; each in a file of its own. */
export function AppDialogs() {
  const open = useDialogs((dialogs) => dialogs.open);
  useEffect(startFetchingAhead, []);
  return (
    <>
      {(open === 'login' || open === 'register') && <AuthDialog mode={open} onClose={closeDialog} />}
      {open === 'account' && <AccountDialog onClose={closeDialog} />}
      {open === 'image' && <ImageDialog onClose={closeDialog} />}
      {open === 'upgrade' && <UpgradeDialog onClose={closeDialog} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={closeDialog} />}
    </>
  );
}
