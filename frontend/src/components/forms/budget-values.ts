import { type Budget, type BudgetPeriod, LIMITS } from '@tanya/contract';
import { formatNumber } from '../../app/i18n/formats';
import { formatUsd } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';

const { whole, fraction } = LIMITS.usdDigits;

const AMOUNT = new RegExp(`^\\d{1,${whole}}(\\.\\d{1,${fraction}})?$`);

export const BUDGET_PERIOD_LABELS = {
  never: 'budgets.never',
  daily: 'budgets.daily',
  weekly: 'budgets.weekly',
  monthly: 'budgets.monthly',
} as const satisfies Record<BudgetPeriod, string>;

/** Validates an amount in USD, which may be blank: true or the error message. */
export function checkAmount(text: string): true | string {
  const value = text.trim();
  return value === '' || AMOUNT.test(value) || t('budgets.invalid');
}

/** Validates a limit of messages, which may be blank: true or the error message. */
export function checkLimit(text: string): true | string {
  const { min, max } = LIMITS.quotaOverride;
  const value = text.trim();
  const isValid = value === '' || (/^-?\d+$/.test(value) && Number(value) >= min && Number(value) <= max);
  return isValid || t('common.wholeRange', { min: formatNumber(min), max: formatNumber(max) });
}

/** The amount of a field as the server takes it: a blank one removes the budget. */
export const amountOf = (text: string): string | null => text.trim() || null;

/** The limit of a budget with its spent and held amounts, as text. */
export function budgetUse({ limitUsd, spentUsd, heldUsd }: Budget): string {
  return t('budgets.use', { limit: formatUsd(limitUsd), spent: formatUsd(spentUsd), held: formatUsd(heldUsd) });
}
