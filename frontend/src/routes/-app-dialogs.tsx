import { lazy, Suspense } from 'react';
import { closeDialog, useDialogs } from '../app/dialogs';

const AuthDialog = lazy(() => import('../features/auth/auth-dialog'));
const AccountDialog = lazy(() => import('../features/auth/account-dialog'));
const ImageDialog = lazy(() => import('../features/images/image-dialog'));
const UpgradeDialog = lazy(() => import('../components/upgrade-dialog'));
const ShortcutsDialog = lazy(() => import('../components/shortcuts-dialog'));

/** The dialogs that any page may open by app/dialogs.ts; each is loaded when it is first wanted. */
export function AppDialogs() {
  const open = useDialogs((dialogs) => dialogs.open);
  return (
    <Suspense>
      {(open === 'login' || open === 'register') && <AuthDialog mode={open} onClose={closeDialog} />}
      {open === 'account' && <AccountDialog onClose={closeDialog} />}
      {open === 'image' && <ImageDialog onClose={closeDialog} />}
      {open === 'upgrade' && <UpgradeDialog onClose={closeDialog} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={closeDialog} />}
    </Suspense>
  );
}
