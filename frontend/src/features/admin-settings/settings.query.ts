import { queryOptions } from '@tanstack/react-query';
import type { AdminSettings, UpdateSettingsRequest } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { connectionsQuery } from '../../app/queries/connections.query';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { quotaQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../../components/feedback/fail';
import { notify } from '../../components/feedback/notify';
import { QUERY_KEYS } from '../../app/queries/query-keys';

/** The settings, including the fields for admins only. */
export const adminSettingsQuery = queryOptions({
  queryKey: QUERY_KEYS.adminSettings,
  queryFn: ({ signal }) => api.get<AdminSettings>('/api/general-settings', signal),
});

export function useSaveSettings() {
  return useSingleFlightMutation({
    mutationFn: (settings: UpdateSettingsRequest) => api.patch<AdminSettings>('/api/admin/general-settings', settings),
    onSuccess: () => {
      for (const { queryKey } of [adminSettingsQuery, settingsQuery, quotaQuery, connectionsQuery]) {
        void queryClient.invalidateQueries({ queryKey });
      }
      notify({ title: t('settings.saved') });
    },
    onError: fail('settings.saveError'),
  });
}
