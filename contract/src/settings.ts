import type { QuotaPeriod } from './quota.js';

/**
 * Registration of new accounts: `open` signs them in at once, `approval` refuses their login until an admin approves them,
 * `closed` refuses to register.
 */
export const REGISTRATION_MODES = ['open', 'approval', 'closed'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** External links of the page, from the environment. */
export interface ProductLinks {
  upgradeUrl: string | null;
  guestSignupUrl: string | null;
  proAppUrl: string | null;
}

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
  links: ProductLinks;
  /** True while no provider is configured and the built-in demo answers. */
  demo: boolean;
}

/** The fields for admins. Keys are masked except for their last four characters; '' means that no key is set. */
export interface AdminSettings extends PublicSettings {
  systemPrompt: string;
  openrouterApiKey: string;
  openaiApiKey: string;
  openrouterBaseUrl: string;
  openaiBaseUrl: string;
  /** Daily messages of all guests of one address. */
  guestAddressDailyQuota: number;
  /** Hourly messages of all guests. */
  guestHourlyBudget: number;
  /** Configuration problems, one sentence each. */
  warnings: string[];
  updatedAt: string;
}

/** A partial update: omitted fields keep their value. */
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
    | 'registrationMode'
    | 'guestAddressDailyQuota'
    | 'guestHourlyBudget'
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
