import type { AdminSettings } from '@tanya/contract';

/** The text that the server sends instead of a saved key. */
export const MASK = '••••••••';

const LINKS = { upgradeUrl: '', guestSignupUrl: '', proAppUrl: '', termsUrl: '', contactUrl: '' };

/** Saved settings, for tests. */
export const SETTINGS: AdminSettings = {
  siteTitle: 'Tanya',
  welcomeMessage: 'Halo',
  emptyThreadMessage: 'Kosong',
  systemPrompt: 'Be brief.',
  openrouterApiKey: MASK,
  openaiApiKey: '',
  openrouterBaseUrl: '',
  openaiBaseUrl: '',
  guestMessageQuota: 5,
  freeUserMessageQuota: 20,
  premiumUserMessageQuota: -1,
  quotaPeriod: 'daily',
  registrationMode: 'open',
  sharingEnabled: true,
  totpRequired: { admin: false, member: false },
  passwordReset: false,
  guestAddressDailyQuota: 100,
  guestHourlyBudget: 100,
  freeUserBudgetUsd: null,
  premiumUserBudgetUsd: null,
  userBudgetPeriod: 'monthly',
  installationBudgetUsd: null,
  installationBudgetPeriod: 'monthly',
  installationBudget: null,
  maxSteps: { guest: 0, free: 3, premium: 10 },
  starters: [],
  defaultLanguage: 'spec',
  builtInTools: { web_search: [], read_page: [], current_time: [], calculate: [], create_image: [] },
  searchBackend: 'auto',
  searxngUrl: '',
  braveApiKey: '',
  tavilyApiKey: '',
  warnings: [],
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...LINKS,
  links: { upgradeUrl: null, guestSignupUrl: null, proAppUrl: null, termsUrl: null, contactUrl: null },
  demo: false,
};
