import { STARTERS } from '@tanya/contract';
import { pickStarter } from './pick-starter';

test('there are twenty built-in ideas', () => {
  expect(new Set(STARTERS).size).toBe(20);
});

test('an idea that is shown is not picked again', () => {
  expect(pickStarter(['a', 'b', 'c'], ['a', 'c'])).toBe('b');
});

test('when all are shown any will do', () => {
  expect(pickStarter(['a'], ['a'])).toBe('a');
});
