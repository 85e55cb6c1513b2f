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
import { type Notice, notify } from '../../components/feedback/notify';
import { QUERY_KEYS } from '../../app/queries/query-keys';
import { undoingOf } from './setting-values';

/** The settings, including the fields for admins only. */
export const adminSettingsQuery = queryOptions({
  queryKey: QUERY_KEYS.adminSettings,
  queryFn: ({ signal }) => api.get<AdminSettings>('/api/general-settings', signal),
});

/** @param settings the settings before the change, to which Undo goes back */
export function useSaveSettings(settings: AdminSettings) {
  return useSingleFlightMutation({
    mutationFn: async (changes: UpdateSettingsRequest) => {
      const undoing = undoingOf(changes, settings);
      return { now: await saveSettings(changes), undoing };
    },
    onSuccess: ({ undoing }) => {
      const run = () => void saveSettings(undoing).then(() => reportSaved(), fail('settings.saveError'));
      reportSaved(Object.keys(undoing).length > 0 ? { label: t('order.undo'), run } : undefined);
    },
    onError: fail('settings.saveError'),
  });
}

async function saveSettings(changes: UpdateSettingsRequest): Promise<AdminSettings> {
  const now = await api.patch<AdminSettings>('/api/admin/general-settings', changes);
  for (const { queryKey } of [adminSettingsQuery, settingsQuery, quotaQuery, connectionsQuery]) {
    void queryClient.invalidateQueries({ queryKey });
  }
  return now;
}

const reportSaved = (action?: Notice['action']): void => notify({ title: t('settings.saved'), action });
