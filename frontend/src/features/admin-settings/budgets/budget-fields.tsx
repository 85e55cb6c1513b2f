import { Input, NativeSelect, SimpleGrid, Stack } from '@chakra-ui/react';
import type { Budget, BudgetSetting } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { BudgetPeriodOptions } from '../../../components/forms/budget-period-options';
import { budgetUse, checkAmount } from '../../../components/forms/budget-values';
import { FormField } from '../../../components/forms/form-field';
import type { SettingsValues } from '../settings-rules';

/** The default budgets of members and the budget of the installation. */
export function BudgetFields({ budget }: { budget: Budget | null }) {
  const { register, formState } = useFormContext<SettingsValues>();
  const { errors } = formState;
  const amount = (name: BudgetSetting) => (
    <Input inputMode="decimal" maxLength={24} {...register(name, { validate: checkAmount })} />
  );
  const period = (name: 'userBudgetPeriod' | 'installationBudgetPeriod') => (
    <NativeSelect.Root>
      <NativeSelect.Field {...register(name)}>
        <BudgetPeriodOptions />
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  );
  return (
    <Stack gap="4">
      <SimpleGrid minChildWidth="16rem" gap="4">
        <FormField label={t('budgets.free')} error={errors.freeUserBudgetUsd?.message}>
          {amount('freeUserBudgetUsd')}
        </FormField>
        <FormField label={t('budgets.premium')} error={errors.premiumUserBudgetUsd?.message}>
          {amount('premiumUserBudgetUsd')}
        </FormField>
        <FormField label={t('budgets.memberPeriod')}>{period('userBudgetPeriod')}</FormField>
      </SimpleGrid>
      <SimpleGrid minChildWidth="16rem" gap="4">
        <FormField
          label={t('budgets.installation')}
          hint={[t('budgets.installationHint'), budget && budgetUse(budget)].filter(Boolean).join(' ')}
          error={errors.installationBudgetUsd?.message}
        >
          {amount('installationBudgetUsd')}
        </FormField>
        <FormField label={t('budgets.installationPeriod')}>{period('installationBudgetPeriod')}</FormField>
      </SimpleGrid>
    </Stack>
  );
}
