import { queryOptions } from '@tanstack/react-query';
import {
  ADMIN_TEXTS,
  type AdminSettings,
  type TestProviderRequest,
  type TestProviderResponse,
  type UpdateSettingsRequest,
} from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { errorText } from '../../app/api/api-error';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { quotaQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { notify } from '../../components/feedback/notify';

/** The settings, including the fields for admins only. */
export const adminSettingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => api.get<AdminSettings>('/api/general-settings', signal),
});

export function useSaveSettings() {
  return useSingleFlightMutation({
    mutationFn: (settings: UpdateSettingsRequest) => api.patch<AdminSettings>('/api/admin/general-settings', settings),
    onSuccess: () => {
      for (const { queryKey } of [adminSettingsQuery, settingsQuery, quotaQuery]) {
        void queryClient.invalidateQueries({ queryKey });
      }
      notify({ title: ADMIN_TEXTS.settings.saved });
    },
    onError: (error) => notify({ title: ADMIN_TEXTS.settings.saveError, description: errorText(error), kind: 'error' }),
  });
}

export function useTestProvider() {
  return useSingleFlightMutation({
    mutationFn: (request: TestProviderRequest) =>
      api.post<TestProviderResponse>('/api/admin/settings/test-provider', request),
    onSuccess: ({ ok, message }) =>
      notify({
        title: ok ? 'Connection works' : 'Connection failed',
        description: message,
        kind: ok ? 'success' : 'error',
      }),
    onError: (error) => notify({ title: 'Connection failed', description: errorText(error), kind: 'error' }),
  });
}
