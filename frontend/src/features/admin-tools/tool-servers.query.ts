import { queryOptions } from '@tanstack/react-query';
import type { ToolServer, ToolServerDetails } from '@tanya/contract';
import { api } from '../../app/api/api-client';

export const TOOL_SERVERS = '/api/admin/tool-servers';

/** The tool servers by name. Changes by other admins and by calls of tools are announced by no event. */
export const toolServersQuery = queryOptions({
  queryKey: ['admin', 'tool-servers'],
  queryFn: ({ signal }) => api.get<ToolServer[]>(TOOL_SERVERS, signal),
  staleTime: 0,
});

export const toolServerQuery = (id: number) =>
  queryOptions({
    queryKey: [...toolServersQuery.queryKey, id],
    queryFn: ({ signal }) => api.get<ToolServerDetails>(`${TOOL_SERVERS}/${id}`, signal),
    staleTime: 0,
  });
