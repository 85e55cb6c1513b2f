import { type AdminSettings, BUILT_IN_TOOLS, PLANS } from '@tanya/contract';
import { fromPlans, isPlansField, plansIn, plansRequest, toToolValues } from './tool-values';

const settings = {
  builtInTools: { ...Object.fromEntries(BUILT_IN_TOOLS.map((name) => [name, [...PLANS]])), calculate: [] },
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
