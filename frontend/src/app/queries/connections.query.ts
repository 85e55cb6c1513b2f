import { queryOptions } from '@tanstack/react-query';
import type { ProviderConnection } from '@tanya/contract';
import { api } from '../api/api-client';
import { QUERY_KEYS } from './query-keys';

/** The provider connections in their order, for admins. */
export const connectionsQuery = queryOptions({
  queryKey: QUERY_KEYS.connections,
  queryFn: ({ signal }) => api.get<ProviderConnection[]>('/api/admin/connections', signal),
});
