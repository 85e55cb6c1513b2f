import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditEntry } from '@tanya/contract';
import { api } from '../../app/api/api-client';

const PAGE_SIZE = 50;

/** The audit log, newest entry first, page by page. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['admin', 'audit'],
  queryFn: ({ pageParam, signal }) => {
    const before = pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`;
    return api.getPage<AuditEntry>(`/api/admin/audit?limit=${PAGE_SIZE}${before}`, signal);
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  // Changes are announced by no event.
  staleTime: 0,
});
