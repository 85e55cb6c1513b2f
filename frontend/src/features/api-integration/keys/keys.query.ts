import { queryOptions } from '@tanstack/react-query';
import type { ApiKey, CreateApiKeyRequest, CreatedApiKey, UpdateApiKeyRequest } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../components/feedback/fail';
import { succeed } from '../../../components/feedback/succeed';

const PATH = '/api/user/keys';

/** The keys of the own account, newest first. Their use changes without an event, so every visit reads them again. */
export const keysQuery = queryOptions({
  queryKey: ['api-key', 'list'],
  queryFn: ({ signal }) => api.get<ApiKey[]>(PATH, signal),
  staleTime: 0,
});

/** Also after a refusal: another tab may have deleted the key. */
const refresh = () => void queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });

export function useCreateKey() {
  return useSingleFlightMutation({
    mutationFn: (key: CreateApiKeyRequest) => api.post<CreatedApiKey>(PATH, key),
    onError: fail('keys.createError'),
    onSettled: refresh,
    // The cache does not keep the whole key after its dialog.
    gcTime: 0,
  });
}

export function useUpdateKey(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (changes: UpdateApiKeyRequest) => api.patch<ApiKey>(`${PATH}/${id}`, changes),
    onSuccess: succeed('keys.saved', onDone),
    onError: fail('keys.saveError'),
    onSettled: refresh,
  });
}

export function useDeleteKey(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`${PATH}/${id}`),
    onSuccess: succeed('keys.deleted', onDone),
    onError: fail('keys.deleteError'),
    onSettled: refresh,
  });
}
