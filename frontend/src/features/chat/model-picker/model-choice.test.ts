import { FALLBACK_MODEL, type PublicModel } from '@tanya/contract';
import { pickerModels } from '../shared/picker-models';
import { resolveModel } from './use-model-choice';

const model = (modelId: string, change: Partial<PublicModel> = {}): PublicModel => ({
  ...FALLBACK_MODEL,
  modelId,
  name: modelId,
  ...change,
});

const offered = [model('a/one'), model('b/two', { isPremium: true, provider: 'B' }), model('openai/gpt-4o-mini')];
const candidates = (change: object) => ({
  picked: undefined,
  thread: undefined,
  last: undefined,
  systemDefault: undefined,
  ...change,
});

test('offers the built-in model for an empty list', () => {
  expect(pickerModels([])).toEqual([FALLBACK_MODEL]);
  expect(pickerModels([model('x', { isEnabled: false })])).toEqual([FALLBACK_MODEL]);
});

test('uses the built-in default until the default of the server is loaded', () => {
  expect(resolveModel(offered, candidates({}), false).modelId).toBe('openai/gpt-4o-mini');
  expect(resolveModel(offered, candidates({ systemDefault: 'a/one' }), false).modelId).toBe('a/one');
});

test('prefers the picked model to those of the thread and the default', () => {
  expect(resolveModel(offered, candidates({ picked: 'a/one', thread: 'openai/gpt-4o-mini' }), false).modelId).toBe(
    'a/one',
  );
});

test('prefers the model that was picked last to the default, but not to that of the thread', () => {
  const last = candidates({ last: 'a/one', systemDefault: 'openai/gpt-4o-mini' });
  expect(resolveModel(offered, last, false).modelId).toBe('a/one');
  expect(resolveModel(offered, { ...last, thread: 'openai/gpt-4o-mini' }, false).modelId).toBe('openai/gpt-4o-mini');
});

test('replaces a model that is no longer offered by the first one', () => {
  expect(resolveModel(offered, candidates({ picked: 'removed', systemDefault: 'removed' }), false).modelId).toBe(
    'a/one',
  );
});

test('chooses a premium model only for users who may use it', () => {
  expect(resolveModel(offered, candidates({ thread: 'b/two' }), true).modelId).toBe('b/two');
  expect(resolveModel(offered, candidates({ thread: 'b/two' }), false).modelId).not.toBe('b/two');
});
