import { queryOptions } from '@tanstack/react-query';
import type { IdentityProvider } from '@tanya/contract';
import { api } from '../api/api-client';

export const identityProvidersQuery = queryOptions({
  queryKey: ['admin', 'identity-providers'],
  queryFn: ({ signal }) => api.get<IdentityProvider[]>('/api/admin/identity-providers', signal),
});
