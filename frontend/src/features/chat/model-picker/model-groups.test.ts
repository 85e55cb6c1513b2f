import { FALLBACK_MODEL } from '@tanya/contract';
import { groupModels } from './model-groups';

const model = (modelId: string, provider: string) => ({ ...FALLBACK_MODEL, modelId, name: modelId, provider });
const models = [model('a/one', 'A'), model('b/two', 'B'), model('b/three', 'B')];
const shown = (search: string, favourites: string[] = []) =>
  groupModels(models, search, favourites).map(({ name, models: members }) => [name, members.map((m) => m.modelId)]);

test('groups by provider', () => {
  expect(shown('')).toEqual([
    ['A', ['a/one']],
    ['B', ['b/two', 'b/three']],
  ]);
});

test('lists models for images after those for chat, also of the same provider', () => {
  const painter = { ...model('a/painter', 'A'), kind: 'image' as const };
  const groups = groupModels([...models, painter], '', []);
  expect(groups.map(({ name, draws }) => [name, draws])).toEqual([
    ['A', false],
    ['B', false],
    ['A', true],
  ]);
  expect(groupModels([...models, painter], '', ['a/painter'])[0]).toMatchObject({ name: null, models: [painter] });
});

test('searches name, id and provider', () => {
  expect(shown('TWO')).toEqual([['B', ['b/two']]]);
  expect(shown('nothing')).toEqual([]);
});

test('lists each favourite once, before the other models', () => {
  expect(shown('', ['b/three', 'removed'])).toEqual([
    [null, ['b/three']],
    ['A', ['a/one']],
    ['B', ['b/two']],
  ]);
});
