import { Button, Flex, Input, NativeSelect, SimpleGrid, Stack } from '@chakra-ui/react';
import { ADMIN_TEXTS, LIMITS, TEXTS, UNLIMITED } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
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
        <FormField label="Guest" error={errors.guestMessageQuota?.message}>
          {number('guestMessageQuota', LIMITS.guestMessageQuota)}
        </FormField>
        <FormField label="Free User" error={errors.freeUserMessageQuota?.message}>
          {number('freeUserMessageQuota', LIMITS.freeUserMessageQuota)}
        </FormField>
        <FormField
          label="Premium User"
          hint={TEXTS.validation.premiumQuotaMin}
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
              {ADMIN_TEXTS.settings.setUnlimited}
            </Button>
          </Flex>
        </FormField>
        <FormField label="Quotas start again" hint="When counted messages are forgotten.">
          <NativeSelect.Root>
            <NativeSelect.Field {...register('quotaPeriod')}>
              <option value="never">Never</option>
              <option value="daily">Every day</option>
              <option value="monthly">Every month</option>
            </NativeSelect.Field>
            <NativeSelect.Indicator />
          </NativeSelect.Root>
        </FormField>
        <FormField
          label="Guests of one address, a day"
          hint="Messages of all guests behind one address."
          error={errors.guestAddressDailyQuota?.message}
        >
          {number('guestAddressDailyQuota', LIMITS.guestAddressDailyQuota)}
        </FormField>
        <FormField
          label="All guests together, an hour"
          hint="Bounds what guests can cost."
          error={errors.guestHourlyBudget?.message}
        >
          {number('guestHourlyBudget', LIMITS.guestHourlyBudget)}
        </FormField>
      </SimpleGrid>
    </Stack>
  );
}
