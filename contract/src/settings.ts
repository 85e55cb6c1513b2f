import type { QuotaPeriod } from './quota.js';

/** Where the page sends people who want more; from the environment. */
export interface ProductLinks {
  upgradeUrl: string | null;
  guestSignupUrl: string | null;
  proAppUrl: string | null;
}

/** What everybody may read of `GET /api/general-settings`. */
export interface PublicSettings {
  siteTitle: string;
  welcomeMessage: string;
  emptyThreadMessage: string;
  guestMessageQuota: number;
  freeUserMessageQuota: number;
  premiumUserMessageQuota: number;
  quotaPeriod: QuotaPeriod;
  links: ProductLinks;
  /** True while no model provider is set and answers come from the built-in demo. */
  demo: boolean;
}

/** What admins read besides. Keys come back as a mask that shows their last four characters, '' when none is set. */
export interface AdminSettings extends PublicSettings {
  systemPrompt: string;
  openrouterApiKey: string;
  openaiApiKey: string;
  openrouterBaseUrl: string;
  openaiBaseUrl: string;
  /** Messages a day for all guests of one address. */
  guestAddressDailyQuota: number;
  /** Messages an hour for all guests together. */
  guestHourlyBudget: number;
  /** What an admin should mend, in sentences. */
  warnings: string[];
  updatedAt: string;
}

/** Every field is optional: what is left out stays as it is. */
export type UpdateSettingsRequest = Partial<
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
    | 'guestAddressDailyQuota'
    | 'guestHourlyBudget'
  >
>;

export interface TestProviderRequest {
  provider: 'openrouter' | 'openai';
}

export interface TestProviderResponse {
  ok: boolean;
  /** How many models the provider lists, or what it answered. */
  message: string;
}
