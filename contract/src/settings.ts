import type { Budget, BudgetPeriod } from './budgets.js';
import type { ErrorParams } from './errors.js';
import type { QuotaPeriod } from './quota.js';
import type { ToolPlans, ToolSettings } from './tools/tools.js';

/**
 * Languages of the page. `spec` shows the texts of the product specification word for word, which are English with some
 * Indonesian ones; `en` and `id` are English and Indonesian throughout.
 */
export const LANGUAGES = ['spec', 'en', 'id'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Values of the setting `defaultLanguage`. `browser` follows the languages of the visitor's browser. */
export const SITE_LANGUAGES = [...LANGUAGES, 'browser'] as const;
export type SiteLanguage = (typeof SITE_LANGUAGES)[number];

/**
 * Registration of new accounts: `open` signs them in at once, `approval` refuses their login until an admin approves them,
 * `closed` refuses to register.
 */
export const REGISTRATION_MODES = ['open', 'approval', 'closed'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/**
 * The roles whose accounts must have a second factor. Until then an account can only enrol one and sign out in the page;
 * its API keys work.
 */
export interface TotpRequired {
  admin: boolean;
  member: boolean;
}

/**
 * Steps of one answer in which the model may call tools, by plan; 0 offers none. After the last of them the model answers
 * without tools.
 */
export interface MaxSteps {
  guest: number;
  free: number;
  premium: number;
}

/** Links of the page: http, https or mailto. */
export const LINK_NAMES = ['upgradeUrl', 'guestSignupUrl', 'proAppUrl', 'termsUrl', 'contactUrl'] as const;
export type LinkName = (typeof LINK_NAMES)[number];

/** The links that the page shows: each from the settings, else from the environment; null where neither has one. */
export type ProductLinks = Record<LinkName, string | null>;

/** The public fields of `GET /api/general-settings`. */
export interface PublicSettings {
  siteTitle: string;
  welcomeMessage: string;
  emptyThreadMessage: string;
  guestMessageQuota: number;
  freeUserMessageQuota: number;
  premiumUserMessageQuota: number;
  quotaPeriod: QuotaPeriod;
  registrationMode: RegistrationMode;
  /** Whether members can create share links, and whether existing links work. */
  sharingEnabled: boolean;
  totpRequired: TotpRequired;
  /** Whether users can reset their password by mail; otherwise an admin sets a new one. */
  passwordReset: boolean;
  defaultLanguage: SiteLanguage;
  links: ProductLinks;
  /** True while no provider is configured and the built-in demo answers. */
  demo: boolean;
}

/** A configuration problem, for which a page has the sentence. */
export interface SettingsWarning {
  /** `key_unreadable` has the parameter `name`, the name of the service. */
  code: 'key_unreadable' | 'proxy_undeclared';
  params?: ErrorParams;
}

/**
 * The fields for admins. Keys are masked except for their last four characters; '' means that no key is set. A link of
 * the settings that is '' leaves the environment's in effect.
 */
export interface AdminSettings extends PublicSettings, ToolSettings, Record<LinkName, string> {
  systemPrompt: string;
  openrouterApiKey: string;
  openaiApiKey: string;
  openrouterBaseUrl: string;
  openaiBaseUrl: string;
  /** Daily messages of all guests of one address. */
  guestAddressDailyQuota: number;
  /** Hourly messages of all guests. */
  guestHourlyBudget: number;
  /**
   * Budgets of members without one of their own: USD per period as decimal strings; null is unlimited. Nodes of earlier
   * versions omit the fields of budgets.
   */
  freeUserBudgetUsd?: string | null;
  premiumUserBudgetUsd?: string | null;
  userBudgetPeriod?: BudgetPeriod;
  /** The budget of all users, guests and keys together. */
  installationBudgetUsd?: string | null;
  installationBudgetPeriod?: BudgetPeriod;
  /** The installation's budget with its use; null without one. */
  installationBudget?: Budget | null;
  maxSteps: MaxSteps;
  /** The installation's own conversation ideas; empty uses the built-in ones. */
  starters: string[];
  warnings: SettingsWarning[];
  updatedAt: string;
}

/** Settings with an amount in USD. */
export type BudgetSetting = 'freeUserBudgetUsd' | 'premiumUserBudgetUsd' | 'installationBudgetUsd';

/** A partial update: omitted fields, and omitted tools of `builtInTools`, keep their value. */
export type UpdateSettingsRequest = {
  builtInTools?: Partial<ToolPlans>;
} & Partial<Record<BudgetSetting, string | number | null>> &
  Partial<
    Pick<
      AdminSettings,
      | 'siteTitle'
      | 'welcomeMessage'
      | 'emptyThreadMessage'
      | 'systemPrompt'
      | 'openrouterApiKey'
      | 'openaiApiKey'
      | 'openrouterBaseUrl'
      | 'openaiBaseUrl'
      | 'guestMessageQuota'
      | 'freeUserMessageQuota'
      | 'premiumUserMessageQuota'
      | 'quotaPeriod'
      | 'registrationMode'
      | 'sharingEnabled'
      | 'totpRequired'
      | 'defaultLanguage'
      | 'guestAddressDailyQuota'
      | 'guestHourlyBudget'
      | 'userBudgetPeriod'
      | 'installationBudgetPeriod'
      | 'maxSteps'
      | 'starters'
      | Exclude<keyof ToolSettings, 'builtInTools'>
      | LinkName
    >
  >;

export interface TestProviderRequest {
  provider: 'openrouter' | 'openai';
}

export interface TestProviderResponse {
  ok: boolean;
  /** The number of models of the provider, or its error. */
  message: string;
}
