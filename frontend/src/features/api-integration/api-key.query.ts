import { queryOptions } from '@tanstack/react-query';
import type { ApiKeyResponse } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { queryClient } from '../../app/queries/query-client';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { notify } from '../../components/feedback/notify';

const read = (signal?: AbortSignal) => api.get<ApiKeyResponse>('/api/user/apikey', signal);

/** The readable key. Another tab changes it without an event, so every visit reads it again. */
export const apiKeyQuery = queryOptions({
  queryKey: ['api-key'],
  queryFn: ({ signal }) => read(signal),
  staleTime: 0,
});

const fail = (description: string) => () => notify({ title: t('developer.error'), description, kind: 'error' });

/** Generates a key unless another tab has done so: a new key would end that one. */
export function useGenerateKey() {
  return useSingleFlightMutation({
    mutationFn: async () => {
      const stored = await read();
      if (stored.hasApiKey) return { stored, isNew: false };
      return { stored: await api.post<ApiKeyResponse>('/api/user/apikey/generate'), isNew: true };
    },
    onSuccess: ({ stored: { apiKey }, isNew }) => {
      queryClient.setQueryData(apiKeyQuery.queryKey, { hasApiKey: true, apiKey });
      if (isNew) notify({ title: t('apiKey.success'), description: t('developer.generated') });
      else notify({ title: t('developer.keyExists') });
    },
    onError: fail(t('apiKey.generateError')),
  });
}

export function useRevokeKey(onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.post('/api/user/apikey/revoke'),
    onSuccess: () => {
      queryClient.setQueryData(apiKeyQuery.queryKey, { hasApiKey: false, apiKey: null });
      onDone();
      notify({ title: t('apiKey.success'), description: t('developer.revoked') });
    },
    onError: fail(t('apiKey.revokeError')),
  });
}
