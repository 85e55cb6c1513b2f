import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AdminUser, UserSort } from '@tanya/contract';
import { api } from '../../app/api/api-client';

export interface UsersView {
  query: string;
  sort: UserSort;
  limit: number;
  before: string | null;
}

/** One page of users, searched, sorted and paged by the server. */
export const adminUsersQuery = (view: UsersView) =>
  queryOptions({
    queryKey: ['admin', 'users', view],
    queryFn: ({ signal }) => api.getPage<AdminUser>(`/api/admin/users?${searchOf(view)}`, signal),
    placeholderData: keepPreviousData,
  });

export function searchOf({ query, sort, limit, before }: UsersView): string {
  const search = new URLSearchParams({ sort, limit: String(limit) });
  if (query) search.set('query', query);
  if (before) search.set('before', before);
  return search.toString();
}
