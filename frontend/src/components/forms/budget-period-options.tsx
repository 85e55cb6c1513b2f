import { BUDGET_PERIODS } from '@tanya/contract';
import { t } from '../../app/i18n/translate';

const LABELS = {
  never: 'budgets.never',
  daily: 'budgets.daily',
  weekly: 'budgets.weekly',
  monthly: 'budgets.monthly',
} as const;

/** The periods of a budget as options of a select. */
export function BudgetPeriodOptions() {
  return BUDGET_PERIODS.map((period) => (
    <option key={period} value={period}>
      {t(LABELS[period])}
    </option>
  ));
}
