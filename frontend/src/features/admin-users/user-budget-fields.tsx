import { Input, SimpleGrid } from '@chakra-ui/react';
import type { Budget } from '@tanya/contract';
import type { UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { BUDGET_PERIOD_LABELS, budgetUse, checkAmount } from '../../components/forms/budget-values';
import { FormField } from '../../components/forms/form-field';
import type { UserFormValues } from './user-form-values';
import { Select } from '../../components/forms/select';

interface UserBudgetFieldsProps {
  form: UseFormReturn<UserFormValues>;
  /** The budget in effect; null without one. */
  budget: Budget | null;
}

export function UserBudgetFields({ form, budget }: UserBudgetFieldsProps) {
  const { register, formState } = form;
  const hint = [t('budgets.ownHint'), budget && budgetUse(budget)].filter(Boolean).join(' ');
  return (
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
      <FormField label={t('budgets.own')} hint={hint} error={formState.errors.budgetUsd?.message}>
        <Input inputMode="decimal" maxLength={24} {...register('budgetUsd', { validate: checkAmount })} />
      </FormField>
      <FormField label={t('budgets.ownPeriod')}>
        <Select
          {...register('budgetPeriod')}
          options={[
            ['', t('budgets.asSettings')],
            ...Object.entries(BUDGET_PERIOD_LABELS).map(([period, key]) => [period, t(key)] as const),
          ]}
        />
      </FormField>
    </SimpleGrid>
  );
}
