import { daysOf, usagePeriod, wholeMonths } from './usage-period.js';

const NOW = Date.parse('2026-11-22T15:30:00Z');

describe('usagePeriod', () => {
  it('is the last 30 days by default', () => {
    expect(usagePeriod({}, undefined, NOW)).toEqual({ from: '2026-10-24', to: '2026-11-22', step: 'day' });
  });

  it('takes days and times', () => {
    const query = { from: '2026-01-31T23:00:00-02:00', to: '2026-02-01' };
    expect(usagePeriod(query, undefined, NOW)).toEqual({ from: '2026-02-01', to: '2026-02-01', step: 'day' });
  });

  it('has steps of a month when it is long', () => {
    expect(usagePeriod({ from: '2026-08-23', to: '2026-11-22' }).step).toBe('day');
    expect(usagePeriod({ from: '2026-08-22', to: '2026-11-22' }).step).toBe('month');
  });

  it.each([
    [{ from: '2026-11-23', to: '2026-11-22' }],
    [{ from: 'yesterday' }],
    [{ to: '2026-13-01' }],
    [{ to: '2026-02-30' }],
    [{ to: '2026-02-30T12:00:00Z' }],
    [{ to: '2026-02-31T00:00:00Z junk' }],
    [{ from: ['2026-11-22'] }],
    [{ from: '1000-01-01', to: '2026-11-22' }],
  ])('refuses %j', (query) => {
    expect(() => usagePeriod(query, undefined, NOW)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

it('lists the days of a period', () => {
  expect([...daysOf({ from: '2028-02-28', to: '2028-03-01' })]).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
});

it.each([
  ['2026-01-01', '2026-12-31', '2026-01-01', '2027-01-01'],
  ['2026-01-02', '2026-12-30', '2026-02-01', '2026-12-01'],
  ['2026-01-02', '2026-01-30', '2026-02-01', '2026-02-01'],
  ['2026-12-02', '2027-01-31', '2027-01-01', '2027-02-01'],
])('finds the whole months between %s and %s', (from, to, first, end) => {
  expect(wholeMonths({ from, to })).toEqual({ first, end });
});
