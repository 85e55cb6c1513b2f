import type { AdminUser } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { useDeleteUser, useEndSessions, useResetTotp, useResetUsage, useUpdateUser } from './user-mutations';

interface AccountDialogProps {
  user: AdminUser;
  onClose: () => void;
}

const nameOf = (user: AdminUser) => user.fullName || user.username;

export function DeleteUserDialog({ user, onClose }: AccountDialogProps) {
  const remove = useDeleteUser(user, onClose);
  return (
    <ConfirmDialog
      title={t('usersPage.deleteTitle')}
      question={t('users.deleteQuestion', { name: nameOf(user) })}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

export function DemoteDialog({ user, onClose }: AccountDialogProps) {
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

export function ResetTotpDialog({ user, onClose }: AccountDialogProps) {
  const reset = useResetTotp(user, onClose);
  return (
    <ConfirmDialog
      title={t('usersPage.resetTotp')}
      question={t('usersPage.resetTotpQuestion', { name: nameOf(user) })}
      action={t('usersPage.reset')}
      pending={reset.isPending}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    />
  );
}

export function EndSessionsDialog({ user, onClose }: AccountDialogProps) {
  const end = useEndSessions(user, onClose);
  return (
    <ConfirmDialog
      title={t('usersPage.endSessions')}
      question={t('usersPage.endSessionsQuestion', { name: nameOf(user) })}
      action={t('usersPage.endSessions')}
      pending={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  );
}

export function SuspendDialog({ user, onClose }: AccountDialogProps) {
  const update = useUpdateUser(user.id, onClose);
  return (
    <ConfirmDialog
      title={t('people.suspendTitle')}
      question={t('people.suspendQuestion', { name: nameOf(user) })}
      action={t('people.suspend')}
      pending={update.isPending}
      onConfirm={() => update.mutate({ isSuspended: true })}
      onClose={onClose}
    />
  );
}

export function ResumeDialog({ user, onClose }: AccountDialogProps) {
  const update = useUpdateUser(user.id, onClose);
  return (
    <ConfirmDialog
      title={t('people.resumeTitle')}
      question={t('people.resumeQuestion', { name: nameOf(user) })}
      action={t('people.resume')}
      colorPalette="jade"
      pending={update.isPending}
      onConfirm={() => update.mutate({ isSuspended: false })}
      onClose={onClose}
    />
  );
}

export function ResetUsageDialog({ user, onClose }: AccountDialogProps) {
  const reset = useResetUsage(user, onClose);
  return (
    <ConfirmDialog
      title={t('people.resetUsage')}
      question={t('people.resetUsageQuestion', { name: nameOf(user) })}
      action={t('people.resetUsage')}
      pending={reset.isPending}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    />
  );
}
