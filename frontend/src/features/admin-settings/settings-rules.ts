import {
  LIMITS,
  TEXTS,
  type AdminSettings,
  type QuotaPeriod,
  type RegistrationMode,
  type UpdateSettingsRequest,
} from '@tanya/contract';

/** Values of the form; numbers are kept as typed. */
export interface SettingsValues {
  siteTitle: string;
  welcomeMessage: string;
  emptyThreadMessage: string;
  systemPrompt: string;
  openrouterApiKey: string;
  openaiApiKey: string;
  openrouterBaseUrl: string;
  openaiBaseUrl: string;
  guestMessageQuota: string;
  freeUserMessageQuota: string;
  premiumUserMessageQuota: string;
  quotaPeriod: QuotaPeriod;
  registrationMode: RegistrationMode;
  guestAddressDailyQuota: string;
  guestHourlyBudget: string;
}

const NUMBERS = [
  'guestMessageQuota',
  'freeUserMessageQuota',
  'premiumUserMessageQuota',
  'guestAddressDailyQuota',
  'guestHourlyBudget',
] as const;

export function toValues(settings: AdminSettings): SettingsValues {
  return {
    siteTitle: settings.siteTitle,
    welcomeMessage: settings.welcomeMessage,
    emptyThreadMessage: settings.emptyThreadMessage,
    systemPrompt: settings.systemPrompt,
    openrouterApiKey: settings.openrouterApiKey,
    openaiApiKey: settings.openaiApiKey,
    openrouterBaseUrl: settings.openrouterBaseUrl,
    openaiBaseUrl: settings.openaiBaseUrl,
    guestMessageQuota: String(settings.guestMessageQuota),
    freeUserMessageQuota: String(settings.freeUserMessageQuota),
    premiumUserMessageQuota: String(settings.premiumUserMessageQuota),
    quotaPeriod: settings.quotaPeriod,
    registrationMode: settings.registrationMode,
    guestAddressDailyQuota: String(settings.guestAddressDailyQuota),
    guestHourlyBudget: String(settings.guestHourlyBudget),
  };
}

export function toRequest(values: SettingsValues): UpdateSettingsRequest {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, Number(values[name])]));
  return { ...values, ...(numbers as Record<(typeof NUMBERS)[number], number>) };
}

type Rule = (value: string) => true | string;

const text =
  (max: number, required: string, tooLong: string): Rule =>
  (value) => {
    if (value.trim() === '') return required;
    return value.length <= max || tooLong;
  };

const whole =
  (bounds: { min: number; max: number }, tooLow: string, tooHigh: string): Rule =>
  (value) => {
    if (!/^-?\d+$/.test(value.trim()) || Number(value) < bounds.min) return tooLow;
    return Number(value) <= bounds.max || tooHigh;
  };

const { validation } = TEXTS;

/** Validation rule of each field: true or the error message. */
export const RULES = {
  siteTitle: text(LIMITS.siteTitle.max, validation.siteTitleRequired, validation.siteTitleLength),
  welcomeMessage: text(LIMITS.welcomeMessage.max, validation.welcomeMessageRequired, validation.welcomeMessageLength),
  systemPrompt: text(LIMITS.systemPrompt.max, validation.systemPromptRequired, validation.systemPromptLength),
  guestMessageQuota: whole(LIMITS.guestMessageQuota, validation.quotaMin, validation.guestQuotaMax),
  freeUserMessageQuota: whole(LIMITS.freeUserMessageQuota, validation.quotaMin, validation.freeQuotaMax),
  premiumUserMessageQuota: whole(
    LIMITS.premiumUserMessageQuota,
    validation.premiumQuotaMin,
    validation.premiumQuotaMax,
  ),
  guestAddressDailyQuota: whole(LIMITS.guestAddressDailyQuota, validation.quotaMin, validation.premiumQuotaMax),
  guestHourlyBudget: whole(LIMITS.guestHourlyBudget, validation.quotaMin, validation.premiumQuotaMax),
};
