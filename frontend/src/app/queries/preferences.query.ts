import { queryOptions } from '@tanstack/react-query';
import type { Preferences, UpdatePreferencesRequest } from '@tanya/contract';
import { api } from '../api/api-client';
import { queryClient } from './query-client';
import { QUERY_KEYS } from './query-keys';

/** Preferences of the member's account. Guests have none. */
export const preferencesQuery = (userId: number) =>
  queryOptions({
    // Not below `['user']`: an end of the session reads that again, and a read of preferences would be refused.
    queryKey: [...QUERY_KEYS.preferences, userId],
    queryFn: ({ signal }) => api.get<Preferences>('/api/user/preferences', signal),
  });

export async function savePreferences(userId: number, changes: UpdatePreferencesRequest): Promise<Preferences> {
  const stored = await api.patch<Preferences>('/api/user/preferences', changes);
  queryClient.setQueryData(preferencesQuery(userId).queryKey, stored);
  return stored;
}
