import { Button } from '@chakra-ui/react';
import type { AdminUser } from '@tanya/contract';
import { UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { PageShell } from '../../components/layout/page-shell';
import { ResetPasswordDialog } from './reset-password-dialog';
import type { UserDialogKind } from './user-actions';
import { UserDialog } from './user-dialog';
import { useDeleteUser, useResetTotp, useUpdateUser } from './user-mutations';
import { UsersTable } from './users-table';

type Open = { kind: 'add' } | { kind: UserDialogKind; user: AdminUser };

export function UsersPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const openFor = useCallback((kind: UserDialogKind, user: AdminUser) => setOpen({ kind, user }), []);
  return (
    <PageShell
      title={t('usersPage.title')}
      sentence={t('usersPage.sentence')}
      action={
        <Button colorPalette="jade" onClick={() => setOpen({ kind: 'add' })}>
          <UserPlus aria-hidden /> {t('usersPage.add')}
        </Button>
      }
    >
      <UsersTable onOpen={openFor} />
      {open?.kind === 'add' && <UserDialog user={null} onClose={close} />}
      {open?.kind === 'edit' && <UserDialog user={open.user} onClose={close} />}
      {open?.kind === 'password' && <ResetPasswordDialog user={open.user} onClose={close} />}
      {open?.kind === 'totp' && <ResetTotpDialog user={open.user} onClose={close} />}
      {open?.kind === 'demote' && <DemoteDialog user={open.user} onClose={close} />}
      {open?.kind === 'delete' && <DeleteUserDialog user={open.user} onClose={close} />}
    </PageShell>
  );
}

function DeleteUserDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const remove = useDeleteUser(user, onClose);
  return (
    <ConfirmDialog
      title={t('usersPage.deleteTitle')}
      question={t('users.deleteQuestion', { name: user.fullName || user.username })}
      action={t('common.delete')}
      pending={remove.isPending}
      pendingText={t('threads.deleting')}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function DemoteDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const update = useUpdateUser(user.id, onClose);
  return (
    <ConfirmDialog
      title={t('usersPage.demoteTitle')}
      question={t('usersPage.demoteQuestion')}
      action={t('usersPage.removeAdmin')}
      pending={update.isPending}
      onConfirm={() => update.mutate({ isAdmin: false })}
      onClose={onClose}
    />
  );
}

function ResetTotpDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const reset = useResetTotp(user, onClose);
  return (
    <ConfirmDialog
      title={t('usersPage.resetTotp')}
      question={t('usersPage.resetTotpQuestion', { name: user.fullName || user.username })}
      action={t('usersPage.reset')}
      pending={reset.isPending}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    />
  );
}
