import type { DataTag, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client';

/**
 * Changes cached data before the server confirms the change; returns a function that reverts it. When newer data has come
 * meanwhile, that function reads the data again instead, because the data before would undo other changes.
 */
export function changeCached<T>(queryKey: DataTag<QueryKey, T, Error>, change: (data: T) => T): () => void {
  const before = queryClient.getQueryData(queryKey);
  const shown = queryClient.setQueryData(queryKey, (data) => data && change(data));
  return () => {
    if (queryClient.getQueryData(queryKey) === shown) queryClient.setQueryData(queryKey, before);
    else void queryClient.invalidateQueries({ queryKey });
  };
}
