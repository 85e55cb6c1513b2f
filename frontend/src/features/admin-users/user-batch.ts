import {
  type ChangeGroupMembersRequest,
  USER_BATCH_MAX,
  type UserBatchChanges,
  type UserBatchRequest,
  type UserBatchResponse,
} from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { ApiError, errorText } from '../../app/api/api-error';
import { sentenceOf } from '../../app/i18n/error-sentence';
import { t } from '../../app/i18n/translate';
import { groupsQuery } from '../../app/queries/groups.query';
import { queryClient } from '../../app/queries/query-client';
import type { Selection } from '../../components/tables/selection';
import { useBatch } from '../../components/tables/use-batch';
import { refreshUsers } from './user-mutations';

export interface PeopleChange {
  fields: UserBatchChanges;
  /** The group that they join; null for none. */
  joined: number | null;
  /** The group that they leave; null for none. */
  left: number | null;
}

type Refused = { id: number; reason: string }[];

/** Changes the chosen people. Who is refused by one part of the change is spared the rest of it. */
export function useChangePeople(selection: Selection, onDone: () => void) {
  return useBatch({
    selection,
    most: USER_BATCH_MAX,
    send: async (ids, { fields, joined, left }: PeopleChange) => {
      const refused: Refused = [];
      const remaining = () => ids.filter((id) => !refused.some((each) => each.id === id));
      if (Object.keys(fields).length > 0) refused.push(...(await changeFields(ids, fields)));
      if (joined !== null) refused.push(...(await changeMembers(joined, remaining(), (add) => ({ add }))));
      if (left !== null) refused.push(...(await changeMembers(left, remaining(), (remove) => ({ remove }))));
      return refused;
    },
    changed: (count) => t('batch.peopleChanged', { count }),
    refresh: () => {
      refreshUsers();
      void queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey });
    },
    onDone,
  });
}

async function changeFields(ids: number[], changes: UserBatchChanges): Promise<Refused> {
  const request: UserBatchRequest = { ids, changes };
  const { failed } = await api.post<UserBatchResponse>('/api/admin/users/batch', request);
  return failed.map(({ id, ...error }) => ({ id, reason: sentenceOf(error) }));
}

/** The call refuses all people for one of them; only then each is asked for alone. */
async function changeMembers(
  groupId: number,
  ids: number[],
  requestOf: (ids: number[]) => ChangeGroupMembersRequest,
): Promise<Refused> {
  const send = (some: number[]) => api.post(`/api/admin/groups/${groupId}/members`, requestOf(some));
  try {
    await send(ids);
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const refused: Refused = [];
  for (const id of ids) {
    try {
      await send([id]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push({ id, reason: errorText(error) });
    }
  }
  return refused;
}

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;
