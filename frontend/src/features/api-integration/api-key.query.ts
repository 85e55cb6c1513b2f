import { queryOptions } from '@tanstack/react-query';
import type { ApiKeyResponse } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { queryClient } from '../../app/queries/query-client';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { notify } from '../../components/feedback/notify';

export const apiKeyQuery = queryOptions({
  queryKey: ['api-key'],
  queryFn: ({ signal }) => api.get<ApiKeyResponse>('/api/user/apikey', signal),
});

const fail = (description: string) => () => notify({ title: t('developer.error'), description, kind: 'error' });

export function useGenerateKey() {
  return useSingleFlightMutation({
    mutationFn: () => api.post<{ apiKey: string }>('/api/user/apikey/generate'),
    onSuccess: ({ apiKey }) => {
      queryClient.setQueryData(apiKeyQuery.queryKey, { hasApiKey: true, apiKey });
      notify({ title: t('apiKey.success'), description: t('developer.generated') });
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
