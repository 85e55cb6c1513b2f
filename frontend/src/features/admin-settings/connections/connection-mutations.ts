import type {
  ConnectionTestResult,
  CreateConnectionRequest,
  ProviderConnection,
  TestConnectionRequest,
  UpdateConnectionRequest,
} from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { changeCached } from '../../../app/queries/change-cached';
import { connectionsQuery } from '../../../app/queries/connections.query';
import { queryClient } from '../../../app/queries/query-client';
import { settingsQuery } from '../../../app/queries/settings.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../components/feedback/fail';
import { succeed } from '../../../components/feedback/succeed';
import { adminSettingsQuery } from '../settings.query';
import type { ConnectionValues } from './connection-values';

const PATH = '/api/admin/connections';

/** The first two connections share their key and base URL with the settings. */
function refresh(): void {
  for (const { queryKey } of [connectionsQuery, adminSettingsQuery, settingsQuery]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}

export function useCreateConnection(onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (connection: CreateConnectionRequest) => api.post<ProviderConnection>(PATH, connection),
    onSuccess: succeed('connections.added', onDone),
    onError: fail('connections.addError'),
    onSettled: refresh,
  });
}

export function useUpdateConnection(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (changes: UpdateConnectionRequest) => api.patch<ProviderConnection>(`${PATH}/${id}`, changes),
    onSuccess: succeed('connections.updated', onDone),
    onError: fail('connections.updateError'),
    onSettled: refresh,
  });
}

/** A change that shows at once and is reverted when it fails. */
export function useInstantChange(id: number, apply: (all: ProviderConnection[]) => ProviderConnection[]) {
  return useSingleFlightMutation({
    mutationFn: (changes: UpdateConnectionRequest) => api.patch<ProviderConnection>(`${PATH}/${id}`, changes),
    onMutate: () => changeCached(connectionsQuery.queryKey, apply),
    onSuccess: refresh,
    onError: fail('connections.updateError'),
  });
}

export function useForgetAdaptations(id: number) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete<ProviderConnection>(`${PATH}/${id}/adaptations`),
    onSuccess: refresh,
    onError: fail('connections.updateError'),
  });
}

export function useDeleteConnection(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`${PATH}/${id}`),
    onSuccess: succeed('connections.deleted', onDone),
    onError: fail('connections.deleteError'),
    onSettled: refresh,
  });
}

/**
 * Tests a saved or an unsaved connection. The result is shown beside the button that asked for it, until the values that
 * were tested change.
 */
export function useTestConnection(values: Partial<ConnectionValues>) {
  const tested = JSON.stringify([values.kind, values.baseUrl, values.apiKey]);
  const test = useSingleFlightMutation({
    mutationFn: (request: TestConnectionRequest) => api.post<ConnectionTestResult>(`${PATH}/test`, request),
    onMutate: () => tested,
    // The test of a saved connection changes its health.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  });
  if (test.context === tested) return test;
  return { ...test, data: undefined, error: null };
}
