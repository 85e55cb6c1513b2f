import { queryOptions } from '@tanstack/react-query';
import type { SharedConversation } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { hasCode } from '../../../app/api/api-error';

/** A shared conversation. It never changes, so it is read once; a revoked link is noticed at the next visit. */
export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => api.get<SharedConversation>(`/api/share/${encodeURIComponent(token)}`, signal),
    staleTime: Infinity,
    retry: (count, error) => count < 2 && !hasCode(error, 'not_found') && !hasCode(error, 'rate_limited'),
  });
