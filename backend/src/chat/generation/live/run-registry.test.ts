import type { GenerationRun } from './generation-run.js';
import { RunRegistry } from './run-registry.js';

it('keeps an id reserved until the last of its reservations has ended', () => {
  const unused = {} as never;
  const registry = new RunRegistry(unused, unused, unused);
  const first = registry.reserve('answer');
  {
    using _second = registry.reserve('answer');
  }
  expect(registry.ids).toEqual(['answer']);
  first[Symbol.dispose]();
  expect(registry.ids).toEqual([]);
});

it('keeps the run that goes on with an answer when an earlier run of it ends', async () => {
  const unused = {} as never;
  const registry = new RunRegistry(unused, unused, unused);
  const [earlier, later] = [{ id: 'answer' }, { id: 'answer' }] as GenerationRun[];
  registry.add(earlier!);
  registry.add(later!);
  registry.remove(earlier!);
  expect(registry.find('answer')).toBe(later);
  registry.remove(later!);
  expect(registry.find('answer')).toBeUndefined();
});
