import { useMutation } from '@tanstack/react-query';
import type {
  CreateToolServerRequest,
  ServerToolPolicy,
  TestToolServerRequest,
  ToolServer,
  ToolServerTestResult,
  UpdateToolServerRequest,
} from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { t } from '../../app/i18n/translate';
import { queryClient } from '../../app/queries/query-client';
import { toolsQuery } from '../../app/queries/tools.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../../components/feedback/fail';
import { succeed } from '../../components/feedback/succeed';
import { notify } from '../../components/feedback/notify';
import { failureText } from './failure-text';
import { TOOL_SERVERS, toolServersQuery } from './tool-servers.query';

/** Reads the servers again, also after a refusal: another admin may have changed or deleted one. */
async function readAgain(): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: toolsQuery.queryKey });
  await queryClient.invalidateQueries({ queryKey: toolServersQuery.queryKey });
}

const pathOf = (id: number): string => `${TOOL_SERVERS}/${id}`;

/** Adds a server, or changes the one with the id. The answer says whether the server could be reached. */
export function useSaveServer(id: number | null) {
  return useSingleFlightMutation({
    mutationFn: (request: CreateToolServerRequest | UpdateToolServerRequest) =>
      id === null ? api.post<ToolServer>(TOOL_SERVERS, request) : api.patch<ToolServer>(pathOf(id), request),
    onError: fail(id === null ? 'toolServers.addError' : 'toolServers.saveError'),
    onSettled: () => void readAgain(),
  });
}

/** Connects without saving. The context is what was tested. */
export function useTestServer(tested: string) {
  return useSingleFlightMutation({
    mutationFn: (request: TestToolServerRequest) => api.post<ToolServerTestResult>(`${TOOL_SERVERS}/test`, request),
    onMutate: () => tested,
  });
}

/** Changes the policy of a tool. Changes run one after the other; the newest is shown until all are stored. */
export function useChangePolicy(serverId: number, tool: string) {
  return useMutation({
    scope: { id: `policy ${serverId} ${tool}` },
    mutationFn: (policy: ServerToolPolicy) =>
      api.patch<ToolServer>(pathOf(serverId), { tools: { [tool]: policy } } satisfies UpdateToolServerRequest),
    onSuccess: succeed('toolServers.policySaved'),
    onError: fail('toolServers.policyError'),
    onSettled: readAgain,
  });
}

interface SeenDefinition {
  tool: string;
  hash: string;
}

export function useAcceptChange(serverId: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: ({ tool, hash }: SeenDefinition) => {
      const request: UpdateToolServerRequest = { accept: [tool], hashes: { [tool]: hash } };
      return api.patch<ToolServer>(pathOf(serverId), request);
    },
    onSuccess: succeed('toolServers.accepted', onDone),
    onSettled: () => void readAgain(),
  });
}

export function useRefreshServer({ id, name }: ToolServer) {
  return useSingleFlightMutation({
    mutationFn: () => api.post<ToolServer>(`${pathOf(id)}/refresh`),
    onSuccess: ({ lastError, tools }) => {
      if (lastError)
        return notify({
          title: t('toolServers.noAnswer', { name }),
          description: failureText(lastError),
          kind: 'error',
        });
      notify({ title: t('toolServers.refreshed', { name, count: tools.length }) });
    },
    onError: fail('toolServers.refreshError'),
    onSettled: () => void readAgain(),
  });
}

export function useDeleteServer(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(pathOf(id)),
    onSuccess: succeed('toolServers.deleted', onDone),
    onError: fail('toolServers.deleteError'),
    onSettled: () => void readAgain(),
  });
}
