import { Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ShareCounts } from '@tanya/contract';
import { formatDecimal } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { SettingField } from '../setting-field';

const STATES = { on: 'settingsPage.sharingOn', off: 'settingsPage.sharingOff' } as const;

export function SharingFields() {
  const { data: counts } = useQuery({
    queryKey: ['admin', 'shares'],
    queryFn: ({ signal }) => api.get<ShareCounts>('/api/admin/shares', signal),
  });
  return (
    <>
      <SettingField name="sharingEnabled" options={STATES} />
      {counts && <Text color="fg.muted">{countsText(counts)}</Text>}
    </>
  );
}

const MEGABYTE = 1024 * 1024;

function countsText({ links, accounts, files, fileBytes }: ShareCounts): string {
  const size = formatDecimal(fileBytes / MEGABYTE);
  return t('settingsPage.sharingCounts', { links, accounts, files, size });
}
