import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SearchResult } from '@tanya/contract';
import { api } from '../../../app/api/api-client';

const LIMIT = '20';

/** The threads that match the words, each with its matching line. Not cached, because conversations change. */
export const searchQuery = (words: string) =>
  queryOptions({
    queryKey: ['threads', 'search', words],
    queryFn: ({ signal }) =>
      api.get<SearchResult[]>(`/api/chat/search?${new URLSearchParams({ query: words, limit: LIMIT })}`, signal),
    enabled: words !== '',
    staleTime: 0,
    gcTime: 0,
    placeholderData: words === '' ? undefined : keepPreviousData,
  });
