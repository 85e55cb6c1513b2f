import type { SettingName, SettingOf, SettingValue } from '@tanya/contract';
import type { PlainTextKey } from '../../texts/catalogue';
import { BUDGET_PERIOD_LABELS } from './budget-values';

type Choices = {
  [N in SettingOf<'choice'>]: Record<SettingValue<N>, PlainTextKey>;
} & Record<SettingOf<'switch'>, { on: PlainTextKey; off: PlainTextKey }> &
  Partial<Record<SettingName, Record<string, PlainTextKey>>>;

const SHOWN = { on: 'branding.shown', off: 'branding.hidden' } as const;

/**
 * The values of a setting with the keys of their labels, in the order of its field. Switches: the names of those that are
 * on, separated by blanks. Models: only the label of none, under the empty value.
 */
export const SETTING_CHOICES = {
  defaultLanguage: { spec: 'language.spec', en: 'language.en', id: 'language.id', browser: 'settingsPage.browser' },
  quotaPeriod: { never: 'settingsPage.never', daily: 'settingsPage.daily', monthly: 'settingsPage.monthly' },
  userBudgetPeriod: BUDGET_PERIOD_LABELS,
  installationBudgetPeriod: BUDGET_PERIOD_LABELS,
  registrationMode: { open: 'settingsPage.open', approval: 'settingsPage.approval', closed: 'settingsPage.closed' },
  guestsEnabled: { on: 'settingsPage.guestsOn', off: 'settingsPage.guestsOff' },
  totpRequired: {
    '': 'settingsPage.totpNone',
    admin: 'settingsPage.totpAdmins',
    member: 'settingsPage.totpMembers',
    'admin member': 'settingsPage.totpAll',
  },
  passwordLogin: { everyone: 'settingsPage.passwordsEveryone', admins: 'settingsPage.passwordsAdmins' },
  showUpgrade: SHOWN,
  showOtherApps: SHOWN,
  apiAccess: {
    'free premium': 'settingsPage.apiAll',
    premium: 'settingsPage.apiPremium',
    free: 'settingsPage.apiFree',
    '': 'settingsPage.apiNone',
  },
  generatedIdeas: { on: 'settingsPage.ideasOn', off: 'settingsPage.ideasOff' },
  sharingEnabled: { on: 'settingsPage.sharingOn', off: 'settingsPage.sharingOff' },
  generatedTitles: { on: 'settingsPage.titlesOn', off: 'settingsPage.titlesOff' },
  titleModelId: { '': 'settingsPage.ownTitleModel' },
  summaryModelId: { '': 'settingsPage.ownTitleModel' },
  allowDearerFallback: { on: 'settingsPage.dearerOn', off: 'settingsPage.dearerOff' },
  transcriptionModelId: { '': 'settingsPage.noDictation' },
  embeddingModelId: { '': 'settingsPage.noEmbeddings' },
  searchBackend: {
    auto: 'toolSettings.auto',
    searxng: 'toolSettings.searxng',
    brave: 'toolSettings.brave',
    tavily: 'toolSettings.tavily',
    off: 'toolSettings.off',
  },
} as const satisfies Choices;

/** The choices of a field of the settings; none for a value that is typed, and for fields of other things. */
export const settingChoices = (field: string): Readonly<Record<string, PlainTextKey>> =>
  Object.hasOwn(SETTING_CHOICES, field) ? SETTING_CHOICES[field as keyof typeof SETTING_CHOICES] : {};
