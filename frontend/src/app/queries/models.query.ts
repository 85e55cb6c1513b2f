import { queryOptions } from '@tanstack/react-query';
import type { DefaultModel, PublicModel } from '@tanya/contract';
import { api } from '../api/api-client';

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => api.get<PublicModel[]>('/api/models', signal),
});

export const defaultModelQuery = queryOptions({
  queryKey: ['default-model'],
  queryFn: ({ signal }) => api.get<DefaultModel>('/api/settings/default-model', signal),
});
