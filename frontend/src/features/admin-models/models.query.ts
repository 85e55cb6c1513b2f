import { queryOptions } from '@tanstack/react-query';
import type { AdminModel, Catalogue, UnlistedModel } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { QUERY_KEYS } from '../../app/queries/query-keys';

export const adminModelsQuery = queryOptions({
  queryKey: QUERY_KEYS.adminModels,
  queryFn: ({ signal }) => api.get<AdminModel[]>('/api/admin/models', signal),
});

export const unlistedModelsQuery = queryOptions({
  queryKey: [...QUERY_KEYS.adminModels, 'unlisted'],
  queryFn: ({ signal }) => api.get<UnlistedModel[]>('/api/admin/models/unlisted', signal),
});

export const catalogueQuery = queryOptions({
  queryKey: ['admin', 'catalogue'],
  queryFn: async ({ signal }) => (await api.get<Catalogue>('/api/admin/openrouter/models', signal)).data,
});
