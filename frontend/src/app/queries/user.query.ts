import { queryOptions } from '@tanstack/react-query';
import type { Quota, SessionState, User } from '@tanya/contract';
import { api } from '../api/api-client';

/** The signed-in user; null for guests. */
export const currentUserQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async ({ signal }): Promise<User | null> => (await api.get<SessionState>('/api/session', signal)).user,
});

/** The quota of the user or guest. */
export const quotaQuery = queryOptions({
  queryKey: ['quota'],
  queryFn: ({ signal }) => api.get<Quota>('/api/user/quota', signal),
});
