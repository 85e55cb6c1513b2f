import { queryOptions } from '@tanstack/react-query';
import type { ToolInfo } from '@tanya/contract';
import { api } from '../api/api-client';

/** The tools that the user or guest may use. */
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => api.get<ToolInfo[]>('/api/tools', signal),
});
