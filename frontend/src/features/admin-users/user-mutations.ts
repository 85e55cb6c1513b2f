import type { AdminUser, CreateUserRequest, UpdateUserRequest } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { queryClient } from '../../app/queries/query-client';
import { currentUserQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../../components/feedback/fail';
import { notify } from '../../components/feedback/notify';

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ['admin', 'users'] });
  // The admin may have changed their own account.
  void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
}

const succeed = (title: string, onDone?: () => void) => () => {
  refresh();
  onDone?.();
  notify({ title });
};

export function useCreateUser(onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (user: CreateUserRequest) => api.post('/api/admin/users', user),
    onSuccess: succeed(t('users.created'), onDone),
    onError: fail('users.createError'),
  });
}

export function useUpdateUser(id: number, onDone?: () => void) {
  return useSingleFlightMutation({
    mutationFn: (change: UpdateUserRequest) => api.patch(`/api/admin/users/${id}`, change),
    onSuccess: succeed(t('users.updated'), onDone),
    onError: fail('users.updateError'),
  });
}

export function useSetPremium(id: number) {
  return useSingleFlightMutation({
    mutationFn: (isPremium: boolean) => api.patch(`/api/admin/users/${id}/premium`, { isPremium }),
    onSuccess: succeed(t('users.premiumUpdated')),
    onError: fail('users.premiumError'),
  });
}

export function useDeleteUser({ id }: AdminUser, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`/api/admin/users/${id}`),
    onSuccess: succeed(t('users.deleted'), onDone),
    onError: fail('users.deleteError'),
  });
}

export function useResetPassword({ id }: AdminUser, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (newPassword: string) => api.post(`/api/admin/users/${id}/reset-password`, { newPassword }),
    onSuccess: succeed(t('users.passwordReset'), onDone),
    onError: fail('users.resetError'),
  });
}

export function useResetUsage({ id }: AdminUser, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.post(`/api/admin/users/${id}/reset-usage`),
    onSuccess: succeed(t('people.usageReset'), onDone),
    onError: fail('people.resetUsageError'),
  });
}

export function useResetTotp({ id }: AdminUser, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.post(`/api/admin/users/${id}/reset-totp`),
    onSuccess: succeed(t('usersPage.totpReset'), onDone),
    onError: fail('usersPage.totpResetError'),
  });
}
