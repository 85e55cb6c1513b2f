import { Button } from '@chakra-ui/react';
import { ADMIN_TEXTS, fill, TEXTS, type AdminUser } from '@tanya/contract';
import { UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
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
      title="User Management"
      sentence="Who may use the assistant, with which plan and which rights."
      action={
        <Button colorPalette="jade" onClick={() => setOpen({ kind: 'add' })}>
          <UserPlus aria-hidden /> Add User
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
      title="Delete user"
      question={fill(ADMIN_TEXTS.users.deleteQuestion, { name: user.fullName || user.username })}
      action="Delete"
      pending={remove.isPending}
      pendingText={TEXTS.threads.deleting}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function DemoteDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const update = useUpdateUser(user.id, onClose);
  return (
    <ConfirmDialog
      title="Remove your admin rights"
      question="You leave the administration at once, and only another admin can give you the rights back."
      action="Remove Admin"
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
      title="Reset two-factor login"
      question={`${user.fullName || user.username} can log in with the password alone until a new device is set up. Make sure that the request comes from this person.`}
      action="Reset"
      pending={reset.isPending}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    />
  );
}
