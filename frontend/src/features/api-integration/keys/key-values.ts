import {
  type AdminApiKey,
  type ApiKey,
  type CreateApiKeyRequest,
  type CreateServiceKeyRequest,
  type KeyScope,
  type LimitKeyRequest,
  LIMITS,
  type UpdateApiKeyRequest,
} from '@tanya/contract';
import { formatNumber } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { amountOf, checkAmount } from '../../../components/forms/budget-values';

export interface KeyValues {
  name: string;
  scope: KeyScope;
  /** The account's, for a new key of scope `admin`. */
  password: string;
  /** A day of the local calendar, as in `2026-11-22`; blank never expires. */
  expiresAt: string;
  /** A whole number; blank is unlimited. */
  messageCap: string;
  /** USD; blank is unlimited. */
  budgetUsd: string;
  allModels: boolean;
  /** Ids of the chosen models; used without `allModels`. */
  models: string[];
  /** Calls of the API a minute, which admins set: -1 is unlimited, blank keeps the rate of the plan. */
  requestsPerMinute: string;
  tokensPerMinute: string;
}

const NEW: KeyValues = {
  name: '',
  scope: 'api',
  password: '',
  expiresAt: '',
  messageCap: '',
  budgetUsd: '',
  allModels: true,
  models: [],
  requestsPerMinute: '',
  tokensPerMinute: '',
};

export function toKeyValues(key: ApiKey | AdminApiKey | null): KeyValues {
  if (!key) return NEW;
  const { name, scope, expiresAt, messageCap, budgetUsd, models, requestsPerMinute, tokensPerMinute } = key;
  const text = (value: number | null) => (value === null ? '' : String(value));
  return {
    name,
    scope,
    password: '',
    expiresAt: expiresAt ? localDay(new Date(expiresAt)) : '',
    messageCap: text(messageCap),
    budgetUsd: budgetUsd ?? '',
    allModels: models === null,
    models: models ?? [],
    requestsPerMinute: text(requestsPerMinute),
    tokensPerMinute: text(tokensPerMinute),
  };
}

export function toCreateRequest(values: KeyValues): CreateApiKeyRequest {
  const { scope, password } = values;
  if (scope === 'api') return toKeyRequest(values);
  return { name: values.name.trim(), scope, password: password || undefined, expiresAt: expiryOf(values) };
}

/** The fields that the owner has changed, so that an expiry with a time of day keeps it. */
export const toUpdateRequest = (values: KeyValues, stored: KeyValues): UpdateApiKeyRequest =>
  changesOf(toKeyRequest(values), toKeyRequest(stored));

/** The limits that an admin has changed; those that stay do not bind the owner. */
export const toLimitRequest = (values: KeyValues, stored: KeyValues): LimitKeyRequest =>
  changesOf(toLimits(values), toLimits(stored));

export const toServiceRequest = (values: KeyValues): CreateServiceKeyRequest => ({
  name: values.name.trim(),
  ...toLimits(values),
});

const toKeyRequest = (values: KeyValues) => ({ name: values.name.trim(), ...toRestrictions(values) });

const toLimits = (values: KeyValues) => ({
  ...toRestrictions(values),
  requestsPerMinute: numberOf(values.requestsPerMinute),
  tokensPerMinute: numberOf(values.tokensPerMinute),
});

const toRestrictions = (values: KeyValues) => ({
  expiresAt: expiryOf(values),
  messageCap: numberOf(values.messageCap),
  budgetUsd: amountOf(values.budgetUsd),
  models: values.allModels ? null : values.models,
});

const numberOf = (text: string): number | null => (text.trim() ? Number(text) : null);

const expiryOf = ({ expiresAt }: KeyValues): string | null => (expiresAt ? endOf(expiresAt).toISOString() : null);

const changesOf = <T extends object>(now: T, before: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(now).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof T])),
  ) as Partial<T>;

export const KEY_RULES = {
  name: (value: string): true | string => value.trim() !== '' || t('common.nameRequired'),
  messageCap: (value: string): true | string => {
    const { min, max } = LIMITS.apiKeyMessageCap;
    const text = value.trim();
    const isValid = text === '' || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max);
    return isValid || t('common.wholeRange', { min: formatNumber(min), max: formatNumber(max) });
  },
  budgetUsd: checkAmount,
  rate: (value: string): true | string => {
    const { min, max } = LIMITS.apiRate;
    const text = value.trim();
    const isValid = text === '' || (/^-?\d+$/.test(text) && Number(text) >= min && Number(text) <= max);
    return isValid || t('common.wholeRange', { min: formatNumber(min), max: formatNumber(max) });
  },
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
export function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The last day on which a key of scope `admin` may expire. */
export const lastAdminDay = (): string => localDay(new Date(Date.now() + (LIMITS.adminKeyDays - 1) * DAY_MS));

const DAY_MS = 24 * 60 * 60 * 1000;

const endOf = (day: string): Date => new Date(`${day}T23:59:59.999`);
