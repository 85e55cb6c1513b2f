import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';
import { groupByProvider, offeredModels, resolveModel } from './model-choice';

const model = (modelId: string, change: Partial<PublicModel> = {}): PublicModel => ({
  ...FALLBACK_MODEL,
  modelId,
  name: modelId,
  ...change,
});

const offered = [model('a/one'), model('b/two', { isPremium: true, provider: 'B' }), model('openai/gpt-4o-mini')];
const wish = (change: object) => ({ picked: undefined, thread: undefined, standard: undefined, ...change });

test('an empty list offers the built-in model', () => {
  expect(offeredModels([])).toEqual([FALLBACK_MODEL]);
  expect(offeredModels([model('x', { isEnabled: false })])).toEqual([FALLBACK_MODEL]);
});

test('the built-in default holds until the server has named its own', () => {
  expect(resolveModel(offered, wish({}), false).modelId).toBe('openai/gpt-4o-mini');
  expect(resolveModel(offered, wish({ standard: 'a/one' }), false).modelId).toBe('a/one');
});

test('what was picked here goes before the thread and the default', () => {
  expect(resolveModel(offered, wish({ picked: 'a/one', thread: 'openai/gpt-4o-mini' }), false).modelId).toBe('a/one');
});

test('a model that is no longer offered gives way to the first one', () => {
  expect(resolveModel(offered, wish({ picked: 'gone', standard: 'gone' }), false).modelId).toBe('a/one');
});

test('a premium model is chosen for those who may use it alone', () => {
  expect(resolveModel(offered, wish({ thread: 'b/two' }), true).modelId).toBe('b/two');
  expect(resolveModel(offered, wish({ thread: 'b/two' }), false).modelId).not.toBe('b/two');
});

test('the search looks at name, id and provider', () => {
  expect(groupByProvider(offered, 'TWO').map(([provider]) => provider)).toEqual(['B']);
  expect(groupByProvider(offered, '')).toHaveLength(2);
});
