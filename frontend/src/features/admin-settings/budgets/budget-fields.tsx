import { SimpleGrid, Stack } from '@chakra-ui/react';
import type { Budget } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { BUDGET_PERIOD_LABELS } from '../../../components/forms/budget-period-options';
import { budgetUse } from '../../../components/forms/budget-values';
import { SettingField } from '../setting-field';

export const BudgetFields = ({ budget }: { budget: Budget | null }) => (
  <Stack gap="4">
    <SimpleGrid minChildWidth="16rem" gap="4">
      <SettingField name="freeUserBudgetUsd" label={t('budgets.free')} />
      <SettingField name="premiumUserBudgetUsd" label={t('budgets.premium')} />
      <SettingField name="userBudgetPeriod" label={t('budgets.memberPeriod')} options={BUDGET_PERIOD_LABELS} />
    </SimpleGrid>
    <SimpleGrid minChildWidth="16rem" gap="4">
      <SettingField
        name="installationBudgetUsd"
        label={t('budgets.installation')}
        hint={[t('budgets.installationHint'), budget && budgetUse(budget)].filter(Boolean).join(' ')}
      />
      <SettingField
        name="installationBudgetPeriod"
        label={t('budgets.installationPeriod')}
        options={BUDGET_PERIOD_LABELS}
      />
    </SimpleGrid>
  </Stack>
);
