import { queryOptions } from '@tanstack/react-query';
import type { AdminModel, Catalogue, UnlistedModel } from '@tanya/contract';
import { api } from '../../app/api/api-client';

export const adminModelsQuery = queryOptions({
  queryKey: ['admin', 'models'],
  queryFn: ({ signal }) => api.get<AdminModel[]>('/api/admin/models', signal),
});

export const unlistedModelsQuery = queryOptions({
  queryKey: ['admin', 'models', 'unlisted'],
  queryFn: ({ signal }) => api.get<UnlistedModel[]>('/api/admin/models/unlisted', signal),
});

/** The models that OpenRouter offers. */
export const catalogueQuery = queryOptions({
  queryKey: ['admin', 'catalogue'],
  queryFn: async ({ signal }) => (await api.get<Catalogue>('/api/admin/openrouter/models', signal)).data,
});
