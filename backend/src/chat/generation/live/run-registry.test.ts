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
