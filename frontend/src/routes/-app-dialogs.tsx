import { useEffect } from 'react';
import { closeDialog, useDialogs } from '../app/state/dialogs';
import { startPrefetching } from '../components/lazy/prefetch';
import { lazyDialog } from '../components/lazy/lazy-dialog';

const AuthDialog = lazyDialog(() => import('../features/auth/auth-dialog'));
const SuspendedDialog = lazyDialog(() => import('../features/auth/suspended-dialog'));
const ShareDialog = lazyDialog(() => import('../features/sidebar/threads/share-dialog'));
const ProjectDialog = lazyDialog(() => import('../features/sidebar/threads/project-dialog'));
const ThreadDialogs = lazyDialog(() => import('../features/sidebar/threads/thread-dialogs'));
const ImageDialog = lazyDialog(() => import('../features/images/image-dialog'));
const LanguageDialog = lazyDialog(() => import('../features/sidebar/language-dialog'));
const LogoutDialog = lazyDialog(() => import('./-logout-dialog'));
const PaletteDialog = lazyDialog(() => import('../features/sidebar/palette/palette-dialog'));
const ArchivedDialog = lazyDialog(() => import('../features/sidebar/threads/archived-dialog'));
const UpgradeDialog = lazyDialog(() => import('../components/dialogs/upgrade-dialog'));
const ShortcutsDialog = lazyDialog(() => import('../components/dialogs/shortcuts-dialog'));

export function AppDialogs() {
  const { open, threadId, thread } = useDialogs();
  useEffect(() => startPrefetching(), []);
  return (
    <>
      {(open === 'login' || open === 'register' || open === 'forgot-password') && (
        <AuthDialog mode={open} onClose={closeDialog} />
      )}
      {open === 'suspended' && <SuspendedDialog onClose={closeDialog} />}
      {open === 'share' && <ShareDialog threadId={threadId} onClose={closeDialog} />}
      {open === 'project' && <ProjectDialog threadId={threadId} onClose={closeDialog} />}
      {open === 'delete' && thread && <ThreadDialogs kind="delete" thread={thread} onClose={closeDialog} />}
      {open === 'image' && <ImageDialog onClose={closeDialog} />}
      {open === 'language' && <LanguageDialog onClose={closeDialog} />}
      {open === 'logout' && <LogoutDialog onClose={closeDialog} />}
      {open === 'palette' && <PaletteDialog onClose={closeDialog} />}
      {open === 'archived' && <ArchivedDialog onClose={closeDialog} />}
      {open === 'upgrade' && <UpgradeDialog onClose={closeDialog} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={closeDialog} />}
    </>
  );
}
