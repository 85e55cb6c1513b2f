import type { DataTag, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client';

/** Changes cached data before the server confirms the change; returns a function that reverts it. */
export function changeCached<T>(queryKey: DataTag<QueryKey, T, Error>, change: (data: T) => T): () => void {
  const before = queryClient.getQueryData(queryKey);
  queryClient.setQueryData(queryKey, (data) => data && change(data));
  return () => void queryClient.setQueryData(queryKey, before);
}
