import { periodEnd, periodKey } from './quota-period.js';

describe('periodKey and periodEnd', () => {
  const cases = [
    ['never', '2026-11-20T10:00:00Z', 'ever', null],
    ['daily', '2026-11-20T00:00:00Z', '2026-11-20', '2026-11-21T00:00:00.000Z'],
    ['daily', '2026-11-20T23:59:59.999Z', '2026-11-20', '2026-11-21T00:00:00.000Z'],
    ['daily', '2026-12-31T12:00:00Z', '2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['daily', '2026-11-21T01:00:00+07:00', '2026-11-20', '2026-11-21T00:00:00.000Z'],
    ['monthly', '2026-11-30T23:59:59Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['monthly', '2026-12-31T23:59:59Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['monthly', '2028-02-29T12:00:00Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ] as const;

  it.each(cases)('%s at %s is %s and ends at %s', (period, now, key, end) => {
    expect(periodKey(period, new Date(now))).toBe(key);
    expect(periodEnd(period, new Date(now))).toBe(end);
  });
});
