import type {
  AccessRule,
  AdminModel,
  AdminUser,
  ChangeGroupMembersRequest,
  Group,
  UpdateGroupRequest,
  UpdateModelRequest,
} from '@tanya/contract';
import { type InfiniteData, type Query, useMutation } from '@tanstack/react-query';
import { api, type Page } from '../../app/api/api-client';
import { hasCode } from '../../app/api/api-error';
import { changeCached } from '../../app/queries/change-cached';
import { groupsQuery } from '../../app/queries/groups.query';
import { queryClient } from '../../app/queries/query-client';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail, showFailure } from '../../components/feedback/fail';
import { succeed } from '../../components/feedback/succeed';
import { accessChange } from '../../components/forms/access-fields';
import { groupModelsQuery } from './group-models.query';

const pathOf = (id: number) => `/api/admin/groups/${id}`;

/** Reads again what shows groups: models, tool servers and people too. */
const readAgain = () => void queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey.slice(0, 1) });

/** Adds a group, or changes the one with the id. */
export function useSaveGroup(id: number | null, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (request: UpdateGroupRequest) =>
      id === null ? api.post<Group>('/api/admin/groups', request) : api.patch<Group>(pathOf(id), request),
    onSuccess: succeed(id === null ? 'groups.added' : 'groups.saved', onDone),
    onError: fail('groups.saveError'),
    onSettled: readAgain,
  });
}

/** Deletes a group; true as its argument deletes one that rules name. */
export function useDeleteGroup(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (isForced: boolean) => api.delete(`${pathOf(id)}${isForced ? '?force=true' : ''}`),
    onSuccess: succeed('groups.deleted', onDone),
    onError: (error) => {
      if (!hasCode(error, 'group_in_use')) showFailure('groups.deleteError', error);
    },
    onSettled: readAgain,
  });
}

/** The people that the dialog of a group lists. */
export const groupPeopleKey = (id: number) => ['admin', 'users', 'of-group', id];

/** Adds a person to a group, or removes one, who stays in the list, so that a slip can be undone at once. */
export function useChangeMember(id: number, userId: number) {
  const queryKey = groupPeopleKey(id);
  return useMutation({
    scope: { id: `members-${id}` },
    mutationFn: (change: 'add' | 'remove') =>
      api.post(`${pathOf(id)}/members`, { [change]: [userId] } satisfies ChangeGroupMembersRequest),
    onSuccess: (_, change) => {
      const changed = (user: AdminUser): AdminUser => {
        if (user.id !== userId) return user;
        const others = user.groupIds.filter((each) => each !== id);
        return { ...user, groupIds: change === 'add' ? [...others, id] : others };
      };
      queryClient.setQueriesData<InfiniteData<Page<AdminUser>>>(
        { queryKey },
        (people) =>
          people && { ...people, pages: people.pages.map((page) => ({ ...page, items: page.items.map(changed) })) },
      );
    },
    onError: fail('groups.membersError'),
    onSettled: () => {
      const isOther = ({ queryKey: [, , of] }: Query) => of !== queryKey[2];
      void queryClient.invalidateQueries({ queryKey: queryKey.slice(0, 1), predicate: isOther });
    },
  });
}

const CHANGE_ACCESS = ['change-access'];

/** Changes who may use a model. Changes of one model run one after the other. */
export function useChangeAccess({ id }: AdminModel) {
  const { queryKey } = groupModelsQuery;
  return useMutation({
    mutationKey: CHANGE_ACCESS,
    scope: { id: `access-${id}` },
    mutationFn: (rule: AccessRule) =>
      api.patch(`/api/admin/models/${id}`, accessChange(rule) satisfies UpdateModelRequest),
    onMutate: (rule) =>
      changeCached(queryKey, (models) => models.map((model) => (model.id === id ? { ...model, ...rule } : model))),
    onError: fail('groups.accessError'),
    // Before the last change is stored, an answer would take it off the screen for a moment.
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: CHANGE_ACCESS }) === 1)
        void queryClient.invalidateQueries({ queryKey });
    },
  });
}
