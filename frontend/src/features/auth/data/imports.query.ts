import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ImportedConversation, ImportStatus } from '@tanya/contract';
import { api } from '../../../app/api/api-client';

const POLL_MS = 1_000;

export const isRunning = (imports: readonly ImportStatus[] | undefined): boolean =>
  imports?.some(({ state }) => state === 'running') ?? false;

/** The newest imports, polled while one of them runs. Other tabs change them without an event, so every visit reads them again. */
export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => api.get<ImportStatus[]>('/api/user/import', signal),
  refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_MS : false),
  staleTime: 0,
});

export const reportQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['imports', id],
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === null ? '' : `?before=${pageParam}`;
      return api.getPage<ImportedConversation>(`/api/user/import/${id}/conversations${before}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
