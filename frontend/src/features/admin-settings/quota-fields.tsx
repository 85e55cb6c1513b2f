import { Button, SimpleGrid } from '@chakra-ui/react';
import { type QuotaPeriod, UNLIMITED } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { SettingField } from './setting-field';
import type { SettingsValues } from './setting-values';

const PERIODS = {
  never: 'settingsPage.never',
  daily: 'settingsPage.daily',
  monthly: 'settingsPage.monthly',
} as const satisfies Record<QuotaPeriod, string>;

export function QuotaFields() {
  const { setValue } = useFormContext<SettingsValues>();
  const lift = () =>
    setValue('premiumUserMessageQuota', String(UNLIMITED), { shouldDirty: true, shouldValidate: true });
  return (
    <SimpleGrid minChildWidth="16rem" gap="4">
      <SettingField name="guestMessageQuota" label={t('settingsPage.guest')} />
      <SettingField name="freeUserMessageQuota" label={t('settingsPage.freeUser')} />
      <SettingField
        name="premiumUserMessageQuota"
        label={t('settingsPage.premiumUser')}
        hint={t('validation.premiumQuotaMin')}
      >
        <Button variant="outline" onClick={lift}>
          {t('settings.setUnlimited')}
        </Button>
      </SettingField>
      <SettingField name="quotaPeriod" options={PERIODS} />
      <SettingField name="guestAddressDailyQuota" label={t('settingsPage.address')} />
      <SettingField name="guestHourlyBudget" label={t('settingsPage.hourly')} />
    </SimpleGrid>
  );
}
