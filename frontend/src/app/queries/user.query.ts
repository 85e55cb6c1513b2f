import { queryOptions } from '@tanstack/react-query';
import type { Quota, User } from '@tanya/contract';
import { api } from '../api-client';
import { hasCode } from '../api-error';

/** The signed-in user; null for guests. */
export const currentUserQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return await api.get<User>('/api/user', signal);
    } catch (error) {
      if (hasCode(error, 'unauthenticated')) return null;
      throw error;
    }
  },
});

/** What the user or guest may still send. */
export const quotaQuery = queryOptions({
  queryKey: ['quota'],
  queryFn: ({ signal }) => api.get<Quota>('/api/user/quota', signal),
});
