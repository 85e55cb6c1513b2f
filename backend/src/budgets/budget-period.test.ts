import { budgetPeriodEnd } from './budget-terms.js';

it.each([
  ['never', '2026-11-22T15:00:00Z', null],
  ['daily', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
  ['weekly', '2026-11-22T23:59:59Z', '2026-11-23T00:00:00.000Z'],
  ['weekly', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00.000Z'],
  ['weekly', '2026-12-30T12:00:00Z', '2027-01-04T00:00:00.000Z'],
  ['monthly', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
] as const)('a budget of the period %s at %s resets at %s', (period, now, end) => {
  expect(budgetPeriodEnd(period, new Date(now))).toBe(end);
});
