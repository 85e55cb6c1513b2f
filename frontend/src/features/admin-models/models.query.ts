import { queryOptions } from '@tanstack/react-query';
import type { AdminModel, Catalogue, ModelProblem, ModelUses, UnlistedModel } from '@tanya/contract';
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

/**
 * The list of a connection; null: that of OpenRouter. No event tells of a change of the list, of the key or of the
 * address.
 */
export const catalogueQuery = (connectionId: number | null) =>
  queryOptions({
    queryKey: ['admin', 'catalogue', connectionId],
    queryFn: async ({ signal }) => {
      const path =
        connectionId === null ? '/api/admin/openrouter/models' : `/api/admin/connections/${connectionId}/models`;
      return (await api.get<Catalogue>(path, signal)).data;
    },
    staleTime: 0,
  });

/** Reads the lists of the connections, so it comes after the models. */
export const modelProblemsQuery = queryOptions({
  queryKey: [...QUERY_KEYS.adminModels, 'problems'],
  queryFn: ({ signal }) => api.get<ModelProblem[]>('/api/admin/models/problems', signal),
});

/** Not below the models: the deletion of a model reads those again while its dialog is open. */
export const modelUsesQuery = (id: number) =>
  queryOptions({
    queryKey: ['model-uses', id],
    queryFn: ({ signal }) => api.get<ModelUses>(`/api/admin/models/${id}/uses`, signal),
  });
