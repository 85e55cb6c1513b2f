import {
  type BudgetPeriod,
  type BudgetSetting,
  LIMITS,
  LINK_NAMES,
  type AdminSettings,
  type LinkName,
  type QuotaPeriod,
  type RegistrationMode,
  type SiteLanguage,
  type TotpRequired,
  type UpdateSettingsRequest,
} from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { amountOf } from '../../components/forms/budget-values';
import type { PlainTextKey } from '../../texts/catalogue';
import {
  isPlansField,
  isStepsField,
  plansRequest,
  stepsRequest,
  toToolValues,
  type ToolValues,
} from './tools/tool-values';

/** The accounts that must have a second factor. */
export type TotpRoles = 'none' | 'admins' | 'members' | 'all';

/** Values of the form, all of them texts; numbers are kept as typed. */
export interface SettingsValues extends ToolValues, Record<LinkName | BudgetSetting, string> {
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
  userBudgetPeriod: BudgetPeriod;
  installationBudgetPeriod: BudgetPeriod;
  registrationMode: RegistrationMode;
  sharingEnabled: 'on' | 'off';
  totpRequired: TotpRoles;
  defaultLanguage: SiteLanguage;
  guestAddressDailyQuota: string;
  guestHourlyBudget: string;
  /** One idea per line, each ended by a line break. */
  starters: string;
}

export type SettingsField = keyof SettingsValues;

const NUMBERS = [
  'guestMessageQuota',
  'freeUserMessageQuota',
  'premiumUserMessageQuota',
  'guestAddressDailyQuota',
  'guestHourlyBudget',
] as const;

const BUDGETS: readonly string[] = [
  'freeUserBudgetUsd',
  'premiumUserBudgetUsd',
  'installationBudgetUsd',
] satisfies BudgetSetting[];

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
    freeUserBudgetUsd: settings.freeUserBudgetUsd ?? '',
    premiumUserBudgetUsd: settings.premiumUserBudgetUsd ?? '',
    userBudgetPeriod: settings.userBudgetPeriod ?? 'monthly',
    installationBudgetUsd: settings.installationBudgetUsd ?? '',
    installationBudgetPeriod: settings.installationBudgetPeriod ?? 'monthly',
    registrationMode: settings.registrationMode,
    sharingEnabled: settings.sharingEnabled ? 'on' : 'off',
    totpRequired: toRoles(settings.totpRequired),
    defaultLanguage: settings.defaultLanguage,
    guestAddressDailyQuota: String(settings.guestAddressDailyQuota),
    guestHourlyBudget: String(settings.guestHourlyBudget),
    starters: toLines(settings.starters),
    ...toToolValues(settings),
    ...(Object.fromEntries(LINK_NAMES.map((name) => [name, settings[name]])) as Record<LinkName, string>),
  };
}

/** The request for the changed fields alone: the others may have been changed by another admin meanwhile. */
export function toRequest(values: SettingsValues, changed: readonly SettingsField[]): UpdateSettingsRequest {
  const plain = changed.filter((name) => !isPlansField(name) && !isStepsField(name));
  return {
    ...Object.fromEntries(plain.map((name) => [name, valueOf(name, values[name])])),
    ...plansRequest(values, changed.filter(isPlansField)),
    ...stepsRequest(values, changed.filter(isStepsField)),
  };
}

function valueOf(name: SettingsField, value: string): string | number | boolean | string[] | TotpRequired | null {
  if (name === 'totpRequired')
    return { admin: value === 'admins' || value === 'all', member: value === 'members' || value === 'all' };
  if (name === 'sharingEnabled') return value === 'on';
  if (name === 'starters') return filledLines(value);
  if (BUDGETS.includes(name)) return amountOf(value);
  return (NUMBERS as readonly string[]).includes(name) ? Number(value) : value;
}

function toRoles({ admin, member }: TotpRequired): TotpRoles {
  if (admin) return member ? 'all' : 'admins';
  return member ? 'members' : 'none';
}

export function toLines(ideas: readonly string[]): string {
  return ideas.map((idea) => `${idea}\n`).join('');
}

export function fromLines(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

/** The ideas to save; empty rows of the form are left out. */
const filledLines = (text: string) =>
  fromLines(text)
    .map((idea) => idea.trim())
    .filter(Boolean);

type Rule = (value: string) => true | string;

const text =
  (max: number, required: PlainTextKey, tooLong: PlainTextKey): Rule =>
  (value) => {
    if (value.trim() === '') return t(required);
    return value.length <= max || t(tooLong);
  };

const whole =
  (bounds: { min: number; max: number }, tooLow: PlainTextKey, tooHigh: PlainTextKey): Rule =>
  (value) => {
    if (!/^-?\d+$/.test(value.trim()) || Number(value) < bounds.min) return t(tooLow);
    return Number(value) <= bounds.max || t(tooHigh);
  };

/** A link that the page may show; the server refuses the same others. */
function link(value: string): true | string {
  const text = value.trim();
  const isLink = text === '' || (/^(https?:\/\/|mailto:)/i.test(text) && URL.canParse(text));
  return isLink || t('links.invalid');
}

function starters(value: string): true | string {
  const ideas = filledLines(value);
  if (ideas.length > LIMITS.starters) return t('settingsPage.tooManyIdeas', { max: LIMITS.starters });
  const repeated = ideas.find((idea, index) => ideas.indexOf(idea) !== index);
  return repeated === undefined || t('settingsPage.repeatedIdea', { idea: repeated });
}

function steps(value: string): true | string {
  const { min, max } = LIMITS.maxSteps;
  const isValid = /^\d+$/.test(value.trim()) && Number(value) >= min && Number(value) <= max;
  return isValid || t('toolSettings.stepsRange', { min, max });
}

/** Validation rule of each field: true or the error message. */
export const RULES = {
  link,
  starters,
  siteTitle: text(LIMITS.siteTitle.max, 'validation.siteTitleRequired', 'validation.siteTitleLength'),
  welcomeMessage: text(
    LIMITS.welcomeMessage.max,
    'validation.welcomeMessageRequired',
    'validation.welcomeMessageLength',
  ),
  systemPrompt: text(LIMITS.systemPrompt.max, 'validation.systemPromptRequired', 'validation.systemPromptLength'),
  guestMessageQuota: whole(LIMITS.guestMessageQuota, 'validation.quotaMin', 'validation.guestQuotaMax'),
  freeUserMessageQuota: whole(LIMITS.freeUserMessageQuota, 'validation.quotaMin', 'validation.freeQuotaMax'),
  premiumUserMessageQuota: whole(
    LIMITS.premiumUserMessageQuota,
    'validation.premiumQuotaMin',
    'validation.premiumQuotaMax',
  ),
  guestAddressDailyQuota: whole(LIMITS.guestAddressDailyQuota, 'validation.quotaMin', 'validation.premiumQuotaMax'),
  guestHourlyBudget: whole(LIMITS.guestHourlyBudget, 'validation.quotaMin', 'validation.premiumQuotaMax'),
  steps,
};
