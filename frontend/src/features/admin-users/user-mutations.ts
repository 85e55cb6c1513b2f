import type {
  AdminUser,
  ChangeGroupMembersRequest,
  CreateUserRequest,
  ResetPasswordRequest,
  UpdateUserRequest,
} from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { groupsQuery } from '../../app/queries/groups.query';
import { queryClient } from '../../app/queries/query-client';
import { currentUserQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../../components/feedback/fail';
import { succeed } from '../../components/feedback/succeed';
import type { PlainTextKey } from '../../texts/catalogue';

const GROUPS = '/api/admin/groups';

/** Also after a refusal, which may mean that another admin has changed or deleted the account. */
export function refreshUsers(): void {
  void queryClient.invalidateQueries({ queryKey: ['admin', 'users'] });
  // The admin may have changed their own account.
  void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
}

export function useCreateUser(onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (user: CreateUserRequest) => api.post('/api/admin/users', user),
    onSuccess: succeed('users.created', onDone),
    onError: fail('users.createError'),
    onSettled: refreshUsers,
  });
}

export function useUpdateUser(id: number, onDone?: () => void) {
  return useSingleFlightMutation({
    mutationFn: (change: UpdateUserRequest) => api.patch(`/api/admin/users/${id}`, change),
    onSuccess: succeed('users.updated', onDone),
    onError: fail('users.updateError'),
    onSettled: refreshUsers,
  });
}

/** Puts a person into the groups and takes them out of all others. */
export function useChangeGroups(user: AdminUser | null, groupIds: readonly number[]) {
  const before = user?.groupIds ?? [];
  const added = groupIds.filter((id) => !before.includes(id));
  const left = before.filter((id) => !groupIds.includes(id));
  const change = useSingleFlightMutation({
    mutationFn: async () => {
      const ids = user === null ? [] : [user.id];
      const send = (id: number, request: ChangeGroupMembersRequest) => api.post(`${GROUPS}/${id}/members`, request);
      for (const id of added) await send(id, { add: ids });
      for (const id of left) await send(id, { remove: ids });
    },
    onError: fail('groups.ofPersonError'),
    onSettled: () => {
      refreshUsers();
      void queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey });
    },
  });
  return { ...change, isChanged: added.length + left.length > 0 };
}

export function useSetPremium(id: number) {
  return useSingleFlightMutation({
    mutationFn: (isPremium: boolean) => api.patch(`/api/admin/users/${id}/premium`, { isPremium }),
    onSuccess: succeed('users.premiumUpdated'),
    onError: fail('users.premiumError'),
    onSettled: refreshUsers,
  });
}

export function useResetPassword({ id }: AdminUser, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (request: ResetPasswordRequest) => api.post(`/api/admin/users/${id}/reset-password`, request),
    onSuccess: succeed('users.passwordReset', onDone),
    onError: fail('users.resetError'),
    onSettled: refreshUsers,
  });
}

interface AccountChange {
  send: (path: string) => Promise<unknown>;
  done: PlainTextKey;
  failed: PlainTextKey;
}

/** A change without values, which the admin only confirms. */
export function useAccountChange({ id }: AdminUser, { send, done, failed }: AccountChange, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => send(`/api/admin/users/${id}`),
    onSuccess: succeed(done, onDone),
    onError: fail(failed),
    onSettled: refreshUsers,
  });
}
