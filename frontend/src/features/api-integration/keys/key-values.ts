import { type ApiKey, type CreateApiKeyRequest, LIMITS, type UpdateApiKeyRequest } from '@tanya/contract';
import { formatNumber } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { amountOf, checkAmount } from '../../../components/forms/budget-values';

export interface KeyValues {
  name: string;
  /** A day of the local calendar, as in `2026-11-22`; blank never expires. */
  expiresAt: string;
  /** A whole number; blank is unlimited. */
  messageCap: string;
  /** USD; blank is unlimited. */
  budgetUsd: string;
  allModels: boolean;
  /** Ids of the chosen models; used without `allModels`. */
  models: string[];
}

export function toValues(key: ApiKey | null): KeyValues {
  if (!key) return { name: '', expiresAt: '', messageCap: '', budgetUsd: '', allModels: true, models: [] };
  const { name, expiresAt, messageCap, budgetUsd, models } = key;
  return {
    name,
    expiresAt: expiresAt ? dayOf(new Date(expiresAt)) : '',
    messageCap: messageCap === null ? '' : String(messageCap),
    budgetUsd: budgetUsd ?? '',
    allModels: models === null,
    models: models ?? [],
  };
}

export function toCreateRequest(values: KeyValues): CreateApiKeyRequest {
  const { name, expiresAt, messageCap, budgetUsd, allModels, models } = values;
  return {
    name: name.trim(),
    expiresAt: expiresAt ? endOf(expiresAt).toISOString() : null,
    messageCap: messageCap.trim() ? Number(messageCap) : null,
    budgetUsd: amountOf(budgetUsd),
    models: allModels ? null : models,
  };
}

/** The changed fields alone, so that an expiry with a time of day keeps it. */
export function toUpdateRequest(values: KeyValues, stored: KeyValues): UpdateApiKeyRequest {
  const [now, before] = [toCreateRequest(values), toCreateRequest(stored)];
  const fields = ['name', 'expiresAt', 'messageCap', 'budgetUsd', 'models'] as const;
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(now[field]) !== JSON.stringify(before[field]))
      .map((field) => [field, now[field]]),
  );
}

export const KEY_RULES = {
  name: (value: string): true | string => value.trim() !== '' || t('keys.nameRequired'),
  messageCap: (value: string): true | string => {
    const { min, max } = LIMITS.apiKeyMessageCap;
    const text = value.trim();
    const isValid = text === '' || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max);
    return isValid || t('keys.capRange', { min: formatNumber(min), max: formatNumber(max) });
  },
  budgetUsd: checkAmount,
  models: (models: string[], { allModels }: KeyValues): true | string => {
    if (allModels) return true;
    if (models.length === 0) return t('keys.modelsRequired');
    return models.length <= LIMITS.apiKeyModels || t('keys.modelsMax', { max: LIMITS.apiKeyModels });
  },
};

/** Validates an expiry day. The stored day of an expired key is valid while it does not change. */
export const expiryRule =
  (stored: string) =>
  (day: string): true | string =>
    day === '' || day === stored || endOf(day).getTime() > Date.now() || t('keys.expiryPast');

/** A day of the local calendar, in the format of a date field. */
export function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const endOf = (day: string): Date => new Date(`${day}T23:59:59.999`);
