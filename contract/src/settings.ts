import { BUDGET_PERIODS, type Budget } from './budgets.js';
import type { ErrorParams } from './errors.js';
import { SITE_LANGUAGES } from './account/languages.js';
import type { ModelKind } from './models/model-values.js';
import { DEFAULT_TEXTS, type TEXTS } from './texts.js';
import { BUILT_IN_TOOLS, type Plan, PLANS, SEARCH_CHOICES } from './tools/tools.js';

/** Sentences of `TEXTS.validation` for a value below and above the bounds; without them a field has general ones. */
interface Sentences {
  low?: keyof typeof TEXTS.validation;
  high?: keyof typeof TEXTS.validation;
}

/** Text bounds are UTF-16 code units. */
type AnySetting =
  | { kind: 'text'; min: number; max: number; default: string; sentences?: Sentences }
  | { kind: 'whole'; min: number; max: number; default: number; sentences?: Sentences }
  | { kind: 'choice'; choices: readonly string[]; default: string }
  | { kind: 'switch'; default: boolean }
  /** USD as a decimal string. null, the default, is unlimited. */
  | { kind: 'usd' }
  /** A link of the page: http, https or mailto. '', the default, leaves the environment's in effect. */
  | { kind: 'link' }
  /** The http address of a service. '', the default, leaves the environment's in effect. */
  | { kind: 'address'; of?: Provider }
  /** The id of a listed, enabled model of a kind. null, the default, is none. */
  | { kind: 'model'; modelKind: ModelKind }
  /** The http address that receives calls, with its query. '' is none. */
  | { kind: 'webhook' }
  /** An email address. '' is none. */
  | { kind: 'email' }
  /** The key of a service, sealed when stored. Admins read its mask, which keeps the last four characters. '' is none. */
  | { kind: 'key'; service: string; of?: Provider }
  /** Conversation ideas: texts on one line each, all different. */
  | { kind: 'ideas'; max: number; each: { min: number; max: number }; default: readonly string[] }
  /** Domains of email addresses, in lower case and ASCII, all different. Empty, the default, allows all. */
  | { kind: 'domains'; max: number; default: readonly string[] }
  /** A whole number for each name. A change keeps the numbers that it omits. */
  | { kind: 'wholes'; names: readonly string[]; min: number; max: number; default: Readonly<Record<string, number>> }
  /** Whole numbers for each name, each part within its bounds. A change keeps the numbers that it omits. */
  | {
      kind: 'limits';
      names: readonly string[];
      parts: Readonly<Record<string, { min: number; max: number }>>;
      default: Readonly<Record<string, Readonly<Record<string, number>>>>;
    }
  /** A text for each name; null keeps the product's own. A change keeps the texts that it omits. */
  | { kind: 'texts'; names: readonly string[]; max: number; default: Readonly<Record<string, null>> }
  /** A switch for each name. They change together. */
  | { kind: 'switches'; names: readonly string[]; default: Readonly<Record<string, boolean>> }
  /** The plans that may use each of the named things, by default all. A change keeps the things that it omits. */
  | { kind: 'plans'; names: readonly string[] };

/** The connection that has the value; its key and its address change together. */
type Provider = 'openrouter' | 'openai';

/** A declared setting. Admins read each, everyone a public one. */
export type Setting<Kind extends AnySetting['kind'] = AnySetting['kind']> = Extract<AnySetting, { kind: Kind }> & {
  isPublic?: true;
};

const MEMBER_PLANS = ['free', 'premium'] as const;

const API_RATE = { min: -1, max: 1_000_000_000, default: { free: -1, premium: -1 } };

/** How often counted messages are forgotten. */
export const QUOTA_PERIODS = ['never', 'daily', 'monthly'] as const;
export type QuotaPeriod = (typeof QUOTA_PERIODS)[number];

/**
 * Registration of new accounts: `open` signs them in at once, `approval` refuses their login until an admin approves them,
 * `closed` refuses to register.
 */
export const REGISTRATION_MODES = ['open', 'approval', 'closed'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** Who logs in with a password: with `admins`, all others use passkeys or an identity provider. */
export const PASSWORD_LOGINS = ['everyone', 'admins'] as const;

/**
 * The general settings. Validation, storage, the views of the REST calls and the rules of the settings page follow from
 * this list.
 */
export const SETTINGS = {
  siteTitle: {
    kind: 'text',
    isPublic: true,
    min: 1,
    max: 50,
    default: DEFAULT_TEXTS.siteTitle,
    sentences: { low: 'siteTitleRequired', high: 'siteTitleLength' },
  },
  welcomeMessage: {
    kind: 'text',
    isPublic: true,
    min: 1,
    max: 200,
    default: DEFAULT_TEXTS.welcomeMessage,
    sentences: { low: 'welcomeMessageRequired', high: 'welcomeMessageLength' },
  },
  emptyThreadMessage: { kind: 'text', isPublic: true, min: 0, max: 200, default: DEFAULT_TEXTS.emptyThreadMessage },
  systemPrompt: {
    kind: 'text',
    min: 1,
    max: 1000,
    default: "You are a helpful AI assistant. Answer the user's questions concisely and accurately.",
    sentences: { low: 'systemPromptRequired', high: 'systemPromptLength' },
  },
  openrouterApiKey: { kind: 'key', service: 'OpenRouter', of: 'openrouter' },
  openaiApiKey: { kind: 'key', service: 'OpenAI', of: 'openai' },
  openrouterBaseUrl: { kind: 'address', of: 'openrouter' },
  openaiBaseUrl: { kind: 'address', of: 'openai' },
  guestMessageQuota: {
    kind: 'whole',
    isPublic: true,
    min: 1,
    max: 100,
    default: 3,
    sentences: { low: 'quotaMin', high: 'guestQuotaMax' },
  },
  freeUserMessageQuota: {
    kind: 'whole',
    isPublic: true,
    min: 1,
    max: 1000,
    default: 100,
    sentences: { low: 'quotaMin', high: 'freeQuotaMax' },
  },
  /** -1 is unlimited. */
  premiumUserMessageQuota: {
    kind: 'whole',
    isPublic: true,
    min: -1,
    max: 1_000_000,
    default: -1,
    sentences: { low: 'premiumQuotaMin', high: 'premiumQuotaMax' },
  },
  quotaPeriod: { kind: 'choice', isPublic: true, choices: QUOTA_PERIODS, default: 'never' },
  /** Daily messages of all guests of one address. */
  guestAddressDailyQuota: { kind: 'whole', min: 1, max: 1_000_000, default: 60, sentences: { low: 'quotaMin' } },
  /** Hourly messages of all guests. */
  guestHourlyBudget: { kind: 'whole', min: 1, max: 1_000_000, default: 1000, sentences: { low: 'quotaMin' } },
  /** The budgets of members without one of their own, per period. */
  freeUserBudgetUsd: { kind: 'usd' },
  premiumUserBudgetUsd: { kind: 'usd' },
  userBudgetPeriod: { kind: 'choice', choices: BUDGET_PERIODS, default: 'monthly' },
  /** The budget of all users, guests and keys together. */
  installationBudgetUsd: { kind: 'usd' },
  installationBudgetPeriod: { kind: 'choice', choices: BUDGET_PERIODS, default: 'monthly' },
  registrationMode: { kind: 'choice', isPublic: true, choices: REGISTRATION_MODES, default: 'open' },
  /**
   * Domains of the addresses with which people register. With any, an account waits until the link that is mailed to its
   * address was opened, without `SMTP_URL` for an admin.
   */
  allowedEmailDomains: { kind: 'domains', isPublic: true, max: 100, default: [] },
  /** Whether visitors can chat without an account; otherwise the page asks them to log in. */
  guestsEnabled: { kind: 'switch', isPublic: true, default: true },
  /** Whether members can create share links, and whether existing links work. */
  sharingEnabled: { kind: 'switch', isPublic: true, default: true },
  /** Whether the keys of a plan's members work. Those of admins and of service accounts always do. */
  apiAccess: { kind: 'switches', names: MEMBER_PLANS, default: { free: true, premium: true } },
  /** Calls of `/api/v1` a minute and tokens a minute, for all keys of a member together; -1 is unlimited. */
  apiRequestsPerMinute: { kind: 'wholes', names: MEMBER_PLANS, ...API_RATE },
  apiTokensPerMinute: { kind: 'wholes', names: MEMBER_PLANS, ...API_RATE },
  upgradeUrl: { kind: 'link' },
  guestSignupUrl: { kind: 'link' },
  proAppUrl: { kind: 'link' },
  termsUrl: { kind: 'link' },
  contactUrl: { kind: 'link' },
  /**
   * Steps of one answer in which the model may call tools, by plan; 0 offers none. After the last of them the model
   * answers without tools.
   */
  maxSteps: { kind: 'wholes', names: PLANS, min: 0, max: 50, default: { guest: 0, free: 3, premium: 10 } },
  /** Whether the default model writes conversation ideas, at the site's cost; otherwise the built-in ones are shown. */
  generatedIdeas: { kind: 'switch', default: true },
  /** The installation's own conversation ideas; empty uses generated or built-in ones. */
  starters: { kind: 'ideas', max: 100, each: { min: 1, max: 300 }, default: [] },
  /**
   * The roles whose accounts must have a second factor. Until then an account can only enrol one and sign out in the
   * page; its API keys work.
   */
  totpRequired: {
    kind: 'switches',
    isPublic: true,
    names: ['admin', 'member'],
    default: { admin: false, member: false },
  },
  /** `admins` needs an active admin with a password. */
  passwordLogin: { kind: 'choice', isPublic: true, choices: PASSWORD_LOGINS, default: 'everyone' },
  /** Whether the page offers an upgrade to people without premium. */
  showUpgrade: { kind: 'switch', isPublic: true, default: true },
  /** Whether the sidebar lists other applications. */
  showOtherApps: { kind: 'switch', isPublic: true, default: true },
  planNames: {
    kind: 'texts',
    isPublic: true,
    names: ['free', 'premium'],
    max: 40,
    default: { free: null, premium: null },
  },
  defaultLanguage: { kind: 'choice', isPublic: true, choices: SITE_LANGUAGES, default: 'spec' },
  /** A tool without plans is switched off. */
  builtInTools: { kind: 'plans', names: BUILT_IN_TOOLS },
  /** Whether models write the titles of chats, at the site's cost; otherwise chats keep the first words of their first message. */
  generatedTitles: { kind: 'switch', default: true },
  /** The model that writes the titles of chats; null: the chat's own. */
  titleModelId: { kind: 'model', modelKind: 'chat' },
  /** The model that summarises the earlier messages of long chats; null: the chat's own. */
  summaryModelId: { kind: 'model', modelKind: 'chat' },
  /** Whether a fallback may answer that costs more than the model that was asked. */
  allowDearerFallback: { kind: 'switch', default: false },
  /** The model that writes down what members dictate. Without one the composer has no microphone. */
  transcriptionModelId: { kind: 'model', isPublic: true, modelKind: 'transcription' },
  /** The model whose vectors let a search in projects find meanings, at their users' cost. Without one it finds words alone. */
  embeddingModelId: { kind: 'model', modelKind: 'embedding' },
  /** What a project may keep, by the plan of its owner: files, their bytes, and the characters of their texts. */
  projectLimits: {
    kind: 'limits',
    names: ['free', 'premium'],
    parts: {
      files: { min: 0, max: 100_000 },
      bytes: { min: 0, max: 1_000_000_000_000 },
      characters: { min: 0, max: 10_000_000_000 },
    },
    default: {
      free: { files: 100, bytes: 200 * 1024 * 1024, characters: 10_000_000 },
      premium: { files: 2_000, bytes: 2 * 1024 * 1024 * 1024, characters: 100_000_000 },
    },
  },
  searchBackend: { kind: 'choice', choices: SEARCH_CHOICES, default: 'auto' },
  searxngUrl: { kind: 'address' },
  braveApiKey: { kind: 'key', service: 'Brave' },
  tavilyApiKey: { kind: 'key', service: 'Tavily' },
  /** Receives alerts, signed with the secret. */
  alertWebhookUrl: { kind: 'webhook' },
  alertWebhookSecret: { kind: 'key', service: 'Webhook' },
  /** '' sends no mail. */
  alertEmail: { kind: 'email' },
} as const satisfies Record<string, Setting>;

type Settings = typeof SETTINGS;

export type SettingName = keyof Settings;

/** The names of the settings of a kind. */
export type SettingOf<Kind extends Setting['kind']> = {
  [N in SettingName]: Settings[N] extends { kind: Kind } ? N : never;
}[SettingName];

type PublicName = { [N in SettingName]: Settings[N] extends { isPublic: true } ? N : never }[SettingName];

/** The value of a setting as REST calls show it. */
export type SettingValue<N extends SettingName> = ValueOf<Settings[N]>;

type ValueOf<S> = S extends { kind: 'text' | 'link' | 'address' | 'webhook' | 'email' | 'key' }
  ? string
  : S extends { kind: 'whole' }
    ? number
    : S extends { kind: 'switch' }
      ? boolean
      : S extends { kind: 'choice'; choices: readonly (infer Choice)[] }
        ? Choice
        : S extends { kind: 'usd' | 'model' }
          ? string | null
          : S extends { kind: 'ideas' | 'domains' }
            ? string[]
            : S extends { kind: 'wholes'; names: readonly (infer Name extends string)[] }
              ? Record<Name, number>
              : S extends { kind: 'limits'; names: readonly (infer Name extends string)[]; parts: infer Parts }
                ? Record<Name, Record<keyof Parts & string, number>>
                : S extends { kind: 'switches'; names: readonly (infer Name extends string)[] }
                  ? Record<Name, boolean>
                  : S extends { kind: 'texts'; names: readonly (infer Name extends string)[] }
                    ? Record<Name, string | null>
                    : S extends { kind: 'plans'; names: readonly (infer Name extends string)[] }
                      ? Record<Name, Plan[]>
                      : never;

/** The value of a setting as a change gives it. */
type GivenOf<S> = S extends { kind: 'usd' }
  ? string | number | null
  : S extends { kind: 'plans' | 'wholes' | 'texts' }
    ? Partial<ValueOf<S>>
    : S extends { kind: 'limits' }
      ? { [Name in keyof ValueOf<S>]?: Partial<ValueOf<S>[Name]> }
      : ValueOf<S>;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The names of the settings of some kinds, in the order of the list. */
export const settingsOf = <Kind extends Setting['kind']>(...kinds: readonly Kind[]): SettingOf<Kind>[] =>
  SETTING_NAMES.filter((name): name is SettingOf<Kind> => (kinds as readonly string[]).includes(SETTINGS[name].kind));

type PublicValues = { [N in PublicName]: SettingValue<N> };

/** The links that the page shows: each from the settings, else from the environment; null where neither has one. */
export type ProductLinks = Record<SettingOf<'link'>, string | null>;

/** The public fields of `GET /api/general-settings`. */
export interface PublicSettings extends PublicValues {
  /** Whether users can reset their password by mail; otherwise an admin sets a new one. */
  passwordReset: boolean;
  links: ProductLinks;
  /** The address of the installation's logo, another one after each change; null for the product's own. */
  logo: string | null;
  /** True while no provider is configured and the built-in demo answers. */
  demo: boolean;
}

type PublicFact = Exclude<keyof PublicSettings, SettingName>;

/** A configuration problem, for which a page has the sentence. */
export interface SettingsWarning {
  /** `key_unreadable` has the parameter `name`, the name of the service. */
  code: 'key_unreadable' | 'proxy_undeclared';
  params?: ErrorParams;
}

type AllValues = { [N in SettingName]: SettingValue<N> };

export interface AdminSettings extends PublicSettings, AllValues {
  /** Always 1: an installation has one row of settings. */
  id: number;
  /** The installation's budget with its use; null without one. */
  installationBudget: Budget | null;
  warnings: SettingsWarning[];
  updatedAt: string;
}

/** Public fields that are no settings. */
export const PUBLIC_FACTS = Object.keys({
  passwordReset: true,
  links: true,
  logo: true,
  demo: true,
} satisfies Record<PublicFact, true>) as PublicFact[];

/** Fields that are no settings. An update ignores them, so that a client can send back the settings that it has read. */
export const READ_ONLY_FIELDS = [
  'id',
  ...PUBLIC_FACTS,
  'installationBudget',
  'warnings',
  'updatedAt',
] as const satisfies Exclude<keyof AdminSettings, SettingName>[];

/** A partial update: omitted settings keep their value. */
export type UpdateSettingsRequest = { [N in SettingName]?: GivenOf<Settings[N]> };

/** The settings of the web search, which can be tested before they are saved. */
export const SEARCH_SETTINGS = ['searchBackend', 'searxngUrl', 'braveApiKey', 'tavilyApiKey'] as const;

/**
 * A test of a search service. Omitted fields have their saved values, a mask keeps the saved key. Without `searchBackend`
 * it tests the service that the saved choice selects.
 */
export type TestSearchRequest = Pick<UpdateSettingsRequest, (typeof SEARCH_SETTINGS)[number]>;

/** The answer to a change of the logo. */
export type SiteLogo = Pick<PublicSettings, 'logo'>;

export interface TestProviderRequest {
  provider: 'openrouter' | 'openai';
}

export interface TestProviderResponse {
  ok: boolean;
  /** The number of models of the provider, or its error. */
  message: string;
}
