import { Button, Flex, Input, NativeSelect, SimpleGrid, Stack } from '@chakra-ui/react';
import { LIMITS, UNLIMITED } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { RULES, type SettingsValues } from './settings-rules';

type QuotaField =
  | 'guestMessageQuota'
  | 'freeUserMessageQuota'
  | 'premiumUserMessageQuota'
  | 'guestAddressDailyQuota'
  | 'guestHourlyBudget';

export function QuotaFields() {
  const { register, setValue, formState } = useFormContext<SettingsValues>();
  const { errors } = formState;
  const number = (name: QuotaField, { min, max }: { min: number; max: number }) => (
    <Input type="number" inputMode="numeric" min={min} max={max} {...register(name, { validate: RULES[name] })} />
  );
  return (
    <Stack gap="4">
      <SimpleGrid minChildWidth="16rem" gap="4">
        <FormField label={t('settingsPage.guest')} error={errors.guestMessageQuota?.message}>
          {number('guestMessageQuota', LIMITS.guestMessageQuota)}
        </FormField>
        <FormField label={t('settingsPage.freeUser')} error={errors.freeUserMessageQuota?.message}>
          {number('freeUserMessageQuota', LIMITS.freeUserMessageQuota)}
        </FormField>
        <FormField
          label={t('settingsPage.premiumUser')}
          hint={t('validation.premiumQuotaMin')}
          error={errors.premiumUserMessageQuota?.message}
        >
          <Flex gap="2" width="100%">
            {number('premiumUserMessageQuota', LIMITS.premiumUserMessageQuota)}
            <Button
              variant="outline"
              onClick={() =>
                setValue('premiumUserMessageQuota', String(UNLIMITED), { shouldDirty: true, shouldValidate: true })
              }
            >
              {t('settings.setUnlimited')}
            </Button>
          </Flex>
        </FormField>
        <FormField label={t('settingsPage.period')} hint={t('settingsPage.periodHint')}>
          <NativeSelect.Root>
            <NativeSelect.Field {...register('quotaPeriod')}>
              <option value="never">{t('settingsPage.never')}</option>
              <option value="daily">{t('settingsPage.daily')}</option>
              <option value="monthly">{t('settingsPage.monthly')}</option>
            </NativeSelect.Field>
            <NativeSelect.Indicator />
          </NativeSelect.Root>
        </FormField>
        <FormField
          label={t('settingsPage.address')}
          hint={t('settingsPage.addressHint')}
          error={errors.guestAddressDailyQuota?.message}
        >
          {number('guestAddressDailyQuota', LIMITS.guestAddressDailyQuota)}
        </FormField>
        <FormField
          label={t('settingsPage.hourly')}
          hint={t('settingsPage.hourlyHint')}
          error={errors.guestHourlyBudget?.message}
        >
          {number('guestHourlyBudget', LIMITS.guestHourlyBudget)}
        </FormField>
      </SimpleGrid>
    </Stack>
  );
}
