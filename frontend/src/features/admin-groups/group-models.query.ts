import { queryOptions } from '@tanstack/react-query';
import type { AdminModel } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { QUERY_KEYS } from '../../app/queries/query-keys';

export const groupModelsQuery = queryOptions({
  queryKey: QUERY_KEYS.adminModels,
  queryFn: ({ signal }) => api.get<AdminModel[]>('/api/admin/models', signal),
});
