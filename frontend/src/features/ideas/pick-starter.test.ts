import { STARTERS } from '@tanya/contract';
import { pickStarter } from './use-ideas';

test('there are twenty built-in ideas', () => {
  expect(new Set(STARTERS).size).toBe(20);
});

test('does not pick an idea that is shown', () => {
  expect(pickStarter(['a', 'b', 'c'], ['a', 'c'])).toBe('b');
});

test('picks any idea when all are shown', () => {
  expect(pickStarter(['a'], ['a'])).toBe('a');
});
