import { queryOptions } from '@tanstack/react-query';
import type { ProviderConnection } from '@tanya/contract';
import { api } from '../api/api-client';

/** The provider connections in their order, for admins. */
export const connectionsQuery = queryOptions({
  queryKey: ['admin', 'connections'],
  queryFn: ({ signal }) => api.get<ProviderConnection[]>('/api/admin/connections', signal),
});
