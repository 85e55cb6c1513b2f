import { queryOptions } from '@tanstack/react-query';
import type { Quota, SessionState, User } from '@tanya/contract';
import { api } from '../api/api-client';
import { QUERY_KEYS } from './query-keys';

let reportSuspension: (() => void) | null = null;

/** Sets the listener for a session that was ended because its account is suspended. Without one the session stays. */
export function onSuspension(listener: () => void): void {
  reportSuspension = listener;
}

/** Reads the user. The session of a suspended account is ended and reported, because the server refuses its other calls. */
async function readUser(signal: AbortSignal): Promise<User | null> {
  const { user, isSuspended } = await api.get<SessionState>('/api/session', signal);
  if (isSuspended && reportSuspension !== null) {
    await api.post('/api/logout');
    reportSuspension();
  }
  return user;
}

/** The signed-in user; null for guests. */
export const currentUserQuery = queryOptions({
  queryKey: QUERY_KEYS.user,
  queryFn: ({ signal }) => readUser(signal),
});

export const quotaQuery = queryOptions({
  queryKey: ['quota'],
  queryFn: ({ signal }) => api.get<Quota>('/api/user/quota', signal),
});
