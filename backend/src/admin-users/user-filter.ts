import { USER_FILTERS, USER_SORTS, type UserFilter, type UserSort } from '@tanya/contract';
import { invalidField } from '../platform/errors/app-error.js';
import { smallIdIn } from '../platform/http/id.pipe.js';
import { searchWords } from '../platform/http/pagination.js';

export interface UserListFilter {
  /** Part of a username, full name, email address or phone number. */
  search: string;
  /** Members of this group alone; null lists all. */
  groupId: number | null;
  /** Absent switches list both. */
  switches: Partial<Record<UserFilter | 'premium', boolean>>;
}

/** @throws AppError `invalid` */
export function userSort({ sort: text }: Record<string, unknown>): UserSort {
  const sort = USER_SORTS.find((name) => name === (text ?? 'newest'));
  if (sort === undefined) throw invalidField('sort', `sort must be one of ${USER_SORTS.join(', ')}`);
  return sort;
}

/** @throws AppError `invalid` */
export function userFilter(query: Record<string, unknown>): UserListFilter {
  return {
    search: searchWords(query.query),
    groupId: smallIdIn(query, 'groupId') ?? null,
    switches: switchesOf(query),
  };
}

function switchesOf(query: Record<string, unknown>): UserListFilter['switches'] {
  const switches: UserListFilter['switches'] = {};
  for (const name of USER_FILTERS) {
    const value = query[name];
    if (value === undefined) continue;
    if (value !== 'true' && value !== 'false') throw invalidField(name, `${name} must be true or false`);
    switches[name] = value === 'true';
  }
  const { plan } = query;
  if (plan === undefined) return switches;
  if (plan !== 'free' && plan !== 'premium') throw invalidField('plan', 'plan must be free or premium');
  return { ...switches, premium: plan === 'premium' };
}
