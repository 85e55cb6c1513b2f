import { BUDGET_PERIODS, type BudgetPeriod } from '@tanya/contract';
import { t } from '../../app/i18n/translate';

export const BUDGET_PERIOD_LABELS = {
  never: 'budgets.never',
  daily: 'budgets.daily',
  weekly: 'budgets.weekly',
  monthly: 'budgets.monthly',
} as const satisfies Record<BudgetPeriod, string>;

export function BudgetPeriodOptions() {
  return BUDGET_PERIODS.map((period) => (
    <option key={period} value={period}>
      {t(BUDGET_PERIOD_LABELS[period])}
    </option>
  ));
}
