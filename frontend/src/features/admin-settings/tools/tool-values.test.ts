import { type AdminSettings, BUILT_IN_TOOLS, PLANS } from '@tanya/contract';
import { fromPlans, isPlansField, plansIn, plansRequest, stepsRequest, toToolValues } from './tool-values';

const settings = {
  builtInTools: { ...Object.fromEntries(BUILT_IN_TOOLS.map((name) => [name, [...PLANS]])), calculate: [] },
  maxSteps: { guest: 0, free: 3, premium: 10 },
  searchBackend: 'brave',
  searxngUrl: '',
  braveApiKey: '••••••••cdef',
  tavilyApiKey: '',
} as unknown as AdminSettings;

test('each tool is a field with its plans', () => {
  expect(toToolValues(settings)).toEqual({
    plans_web_search: 'guest free premium',
    plans_read_page: 'guest free premium',
    plans_current_time: 'guest free premium',
    plans_calculate: '',
    plans_create_image: 'guest free premium',
    steps_guest: '0',
    steps_free: '3',
    steps_premium: '10',
    searchBackend: 'brave',
    searxngUrl: '',
    braveApiKey: '••••••••cdef',
    tavilyApiKey: '',
  });
});

test('a choice that was undone has the same value', () => {
  expect(fromPlans(['premium', 'guest'])).toBe('guest premium');
  expect(plansIn('guest premium')).toEqual(['guest', 'premium']);
  expect(plansIn('')).toEqual([]);
});

test('only the changed tools are sent', () => {
  const values = { ...toToolValues(settings), plans_calculate: 'premium' };
  const changed = (['plans_calculate', 'searchBackend'] as const).filter((name) => isPlansField(name));
  expect(plansRequest(values, changed)).toEqual({ builtInTools: { calculate: ['premium'] } });
  expect(plansRequest(values, [])).toEqual({});
});

test('the steps of all plans are sent together, once one of them changes', () => {
  const values = { ...toToolValues(settings), steps_free: '5' };
  expect(stepsRequest(values, ['steps_free'])).toEqual({ maxSteps: { guest: 0, free: 5, premium: 10 } });
  expect(stepsRequest(values, [])).toEqual({});
});
