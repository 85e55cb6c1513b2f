import { queryOptions } from '@tanstack/react-query';
import type { Group } from '@tanya/contract';
import { api } from '../api/api-client';

/** The groups of members by name. Changes by other admins are announced by no event. */
export const groupsQuery = queryOptions({
  queryKey: ['admin', 'groups'],
  queryFn: ({ signal }) => api.get<Group[]>('/api/admin/groups', signal),
  staleTime: 0,
});
