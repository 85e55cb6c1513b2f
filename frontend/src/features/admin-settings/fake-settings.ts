import { type AdminSettings, type Setting, SETTING_NAMES, SETTINGS as DECLARED } from '@tanya/contract';

/** The text that the server sends instead of a saved key. */
export const MASK = '••••••••';

const defaultOf = (setting: Setting): unknown => {
  if ('default' in setting) return setting.default;
  if (setting.kind === 'plans') return Object.fromEntries(setting.names.map((name) => [name, []]));
  return setting.kind === 'usd' || setting.kind === 'model' ? null : '';
};

const DEFAULTS: Partial<AdminSettings> = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, defaultOf(DECLARED[name])]),
);

export const SETTINGS: AdminSettings = {
  ...(DEFAULTS as AdminSettings),
  siteTitle: 'Tanya',
  welcomeMessage: 'Halo',
  emptyThreadMessage: 'Kosong',
  systemPrompt: 'Be brief.',
  openrouterApiKey: MASK,
  guestMessageQuota: 5,
  freeUserMessageQuota: 20,
  premiumUserMessageQuota: -1,
  quotaPeriod: 'daily',
  logo: null,
  passwordReset: false,
  guestAddressDailyQuota: 100,
  guestHourlyBudget: 100,
  installationBudget: null,
  warnings: [],
  id: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
  links: { upgradeUrl: null, guestSignupUrl: null, proAppUrl: null, termsUrl: null, contactUrl: null },
  demo: false,
};
