import type { RetentionRules } from '@tanya/contract';
import { isAnyShorter, longerOf } from './retention-rules.js';

const rules = (changes: Partial<RetentionRules> = {}): RetentionRules => ({
  ...{ guest: 1, free: null, premium: null, exemptPinned: true },
  ...changes,
});

it.each([
  [{ free: 30 }, {}, true],
  [{ free: 30 }, { free: 10 }, false],
  [{ free: 30 }, { free: 30 }, false],
  [{ free: 30, premium: 10 }, { free: 20, premium: 60 }, true],
  [{ free: 30, exemptPinned: false }, { free: 30 }, true],
  [{ exemptPinned: false }, {}, false],
])('%j is shorter than %j: %s', (a, b, expected) => {
  expect(isAnyShorter(rules(a), rules(b))).toBe(expected);
});

it('holds the longer time of each kind of thread until the shorter ones begin', () => {
  const before = rules({ guest: 7, free: 30, premium: 60 });
  const wanted = rules({ guest: 1, free: 90, premium: 10, exemptPinned: false });
  expect(longerOf(before, wanted)).toEqual({ guest: 7, free: 90, premium: 60, exemptPinned: true });
});
