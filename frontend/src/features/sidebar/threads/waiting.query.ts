import { queryOptions } from '@tanstack/react-query';
import { LIST_MAX, type Thread } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

/** All threads of the account that wait for approval: archived ones and those of unread pages too. */
export const waitingQuery = queryOptions({
  queryKey: QUERY_KEYS.waitingThreads,
  queryFn: ({ signal }) => api.get<Thread[]>(`/api/chat/threads?state=waiting&limit=${LIST_MAX}`, signal),
});
