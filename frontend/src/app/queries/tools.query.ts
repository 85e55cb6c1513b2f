import { queryOptions } from '@tanstack/react-query';
import type { ToolInfo } from '@tanya/contract';
import { api } from '../api/api-client';

export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => api.get<ToolInfo[]>('/api/tools', signal),
});
