import { queryOptions } from '@tanstack/react-query';
import type { ApiKey, CreateApiKeyRequest, CreatedApiKey, UpdateApiKeyRequest } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { errorText } from '../../../app/api/api-error';
import { queryClient } from '../../../app/queries/query-client';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { notify } from '../../../components/feedback/notify';
import type { PlainTextKey } from '../../../texts/catalogue';

const PATH = '/api/user/keys';

/** The keys of the own account, newest first. Their use changes without an event, so every visit reads them again. */
export const keysQuery = queryOptions({
  queryKey: ['api-key', 'list'],
  queryFn: ({ signal }) => api.get<ApiKey[]>(PATH, signal),
  staleTime: 0,
});

const refresh = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });

/** Also reads the list again: another tab may have deleted the key. */
const fail = (title: PlainTextKey) => (error: unknown) => {
  void refresh();
  notify({ title: t(title), description: errorText(error), kind: 'error' });
};

const succeed = (title: PlainTextKey, onDone: () => void) => () => {
  void refresh();
  onDone();
  notify({ title: t(title) });
};

export function useCreateKey() {
  return useSingleFlightMutation({
    mutationFn: (key: CreateApiKeyRequest) => api.post<CreatedApiKey>(PATH, key),
    onSuccess: () => void refresh(),
    onError: fail('keys.createError'),
    // The cache does not keep the whole key after its dialog.
    gcTime: 0,
  });
}

export function useUpdateKey(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (changes: UpdateApiKeyRequest) => api.patch<ApiKey>(`${PATH}/${id}`, changes),
    onSuccess: succeed('keys.saved', onDone),
    onError: fail('keys.saveError'),
  });
}

export function useDeleteKey(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`${PATH}/${id}`),
    onSuccess: succeed('keys.deleted', onDone),
    onError: fail('keys.deleteError'),
  });
}
