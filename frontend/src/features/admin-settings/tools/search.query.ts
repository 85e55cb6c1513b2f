import { queryOptions } from '@tanstack/react-query';
import type { SearchStatus, SearchTestResult, TestSearchRequest } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

export const searchStatusQuery = queryOptions({
  queryKey: [...QUERY_KEYS.adminSettings, 'search'],
  queryFn: ({ signal }) => api.get<SearchStatus>('/api/admin/search', signal),
});

/**
 * Tests the saved or the entered search service. The result is shown beside the button until the values that were tested
 * change.
 */
export function useTestSearch(values: readonly string[]) {
  const tested = JSON.stringify(values);
  const test = useSingleFlightMutation({
    mutationFn: (request: TestSearchRequest) => api.post<SearchTestResult>('/api/admin/search/test', request),
    onMutate: () => tested,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: searchStatusQuery.queryKey }),
  });
  if (test.context === tested) return test;
  return { ...test, data: undefined, error: null };
}
