import type {
  IdentityProvider,
  IdentityProviderTestResult,
  TestIdentityProviderRequest,
  UpdateIdentityProviderRequest,
} from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../components/feedback/fail';
import { succeed } from '../../../components/feedback/succeed';
import { identityProvidersQuery } from '../../../app/queries/identity-providers.query';

const PATH = '/api/admin/identity-providers';

const readAgain = () => void queryClient.invalidateQueries({ queryKey: identityProvidersQuery.queryKey });

/** Adds a provider, or changes the one with the id. */
export function useSaveProvider(id: number | null, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (request: UpdateIdentityProviderRequest) =>
      id === null ? api.post<IdentityProvider>(PATH, request) : api.patch<IdentityProvider>(`${PATH}/${id}`, request),
    onSuccess: succeed(id === null ? 'identityProviders.added' : 'identityProviders.saved', onDone),
    onError: fail('identityProviders.saveError'),
    onSettled: readAgain,
  });
}

export function useDeleteProvider(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`${PATH}/${id}`),
    onSuccess: succeed('identityProviders.deleted', onDone),
    onError: fail('identityProviders.deleteError'),
    onSettled: readAgain,
  });
}

export const useTestProvider = () =>
  useSingleFlightMutation({
    mutationFn: (request: TestIdentityProviderRequest) => api.post<IdentityProviderTestResult>(`${PATH}/test`, request),
    onError: fail('identityProviders.testFailed'),
  });
