import type { Plan } from '@tanya/contract';
import { MASK, SETTINGS as SAVED } from './fake-settings';
import {
  changesOf,
  domainsIn,
  fromLines,
  fromPlans,
  plansIn,
  type SettingsField,
  toLines,
  toRequest,
  toSettingsValues,
  undoingOf,
} from './setting-values';

const EVERYONE: Plan[] = ['guest', 'free', 'premium'];

const settings = {
  ...SAVED,
  builtInTools: { ...SAVED.builtInTools, read_page: EVERYONE },
  totpRequired: { admin: true, member: true },
  installationBudgetUsd: '12.5',
};

test('each tool and each plan of the steps is a field', () => {
  expect(toSettingsValues(settings)).toMatchObject({
    builtInTools_read_page: 'guest free premium',
    builtInTools_calculate: '',
    maxSteps_guest: '0',
    maxSteps_free: '3',
    maxSteps_premium: '10',
  });
});

test('all values are texts', () => {
  expect(toSettingsValues(settings)).toMatchObject({
    guestsEnabled: 'on',
    sharingEnabled: 'on',
    totpRequired: 'admin member',
    guestMessageQuota: '5',
    freeUserBudgetUsd: '',
    installationBudgetUsd: '12.5',
    braveApiKey: '',
  });
});

test('the values of a form ask for the settings that they came from', () => {
  const values = toSettingsValues(settings);
  expect(settings).toMatchObject(toRequest(values, Object.keys(values) as SettingsField[]));
});

test('a request has the changed fields alone', () => {
  const values = {
    ...toSettingsValues(settings),
    guestMessageQuota: '7',
    starters: ' One \n\nTwo\n',
    totpRequired: 'member',
  };
  expect(toRequest(values, ['guestMessageQuota', 'starters', 'totpRequired'])).toEqual({
    guestMessageQuota: 7,
    starters: ['One', 'Two'],
    totpRequired: { admin: false, member: true },
  });
});

test('only the changed tools and numbers of plans are sent', () => {
  const values = { ...toSettingsValues(settings), builtInTools_calculate: 'premium', maxSteps_free: '5' };
  expect(toRequest(values, ['builtInTools_calculate', 'maxSteps_free'])).toEqual({
    builtInTools: { calculate: ['premium'] },
    maxSteps: { free: 5 },
  });
});

test('a choice of plans that was undone has the same value', () => {
  expect(fromPlans(['premium', 'guest'])).toBe('guest premium');
  expect(plansIn('guest premium')).toEqual(['guest', 'premium']);
  expect(plansIn('')).toEqual([]);
});

test('ideas are kept as lines, an empty row included', () => {
  for (const ideas of [[], [''], ['One'], ['One', '', 'Two']]) expect(fromLines(toLines(ideas))).toEqual(ideas);
});

it('reads domains between commas and blanks, also as the ends of addresses', () => {
  expect(domainsIn(' example.com,@example.org ; a.example\n')).toEqual(['example.com', 'example.org', 'a.example']);
  expect(domainsIn(' , ')).toEqual([]);
});

const KEYED = { ...SAVED, openaiApiKey: `${MASK}abcd`, maxSteps: { guest: 0, free: 3, premium: 10 } };

test('changes have the settings of the request before and after, and no key', () => {
  const request = {
    siteTitle: 'Ask',
    openaiApiKey: 'sk-secret',
    braveApiKey: '',
    maxSteps: { guest: 0, free: 5, premium: 10 },
    builtInTools: { calculate: ['free' as const] },
  };
  const { maxSteps } = KEYED;
  expect(changesOf(request, KEYED)).toEqual({
    before: {
      siteTitle: 'Tanya',
      openaiApiKey: `${MASK}abcd`,
      braveApiKey: '',
      maxSteps,
      builtInTools: { calculate: [] },
    },
    after: { ...request, openaiApiKey: MASK },
  });
});

test('changes are taken back where the page can read the earlier value and send it again', () => {
  const request = {
    siteTitle: 'Ask',
    openaiApiKey: 'sk-secret',
    openaiBaseUrl: 'https://other.example/v1',
    alertWebhookUrl: 'https://hooks.example/x',
    embeddingModelId: 'a/b',
  };
  expect(undoingOf(request, KEYED)).toEqual({ siteTitle: 'Tanya' });
});

test('only the parts that were changed are taken back', () => {
  const [tool, ...others] = Object.keys(SAVED.builtInTools) as (keyof typeof SAVED.builtInTools)[];
  expect(others).not.toEqual([]);
  const request = { builtInTools: { [tool!]: ['premium' as const] } };
  expect(undoingOf(request, SAVED)).toEqual({ builtInTools: { [tool!]: SAVED.builtInTools[tool!] } });
});
