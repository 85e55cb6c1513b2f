import { daysOf, usagePeriod, nearestMonths } from './usage-period.js';

const NOW = Date.parse('2026-11-22T15:30:00Z');

describe('usagePeriod', () => {
  it('is the last 30 days by default', () => {
    expect(usagePeriod({}, undefined, NOW)).toEqual({ from: '2026-10-24', to: '2026-11-22', step: 'day' });
  });

  it('takes days and times', () => {
    const query = { from: '2026-01-31T23:00:00-02:00', to: '2026-02-01' };
    expect(usagePeriod(query, undefined, NOW)).toEqual({ from: '2026-02-01', to: '2026-02-01', step: 'hour' });
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
    [{ to: '0000-01-01' }],
    [{ to: '0001-01-10' }],
    [{ to: '9999-12-31' }],
    [{ from: '1000-01-01', to: '2026-11-22' }],
  ])('refuses %j', (query) => {
    expect(() => usagePeriod(query, undefined, NOW)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

it('lists the days of a period', () => {
  expect([...daysOf({ from: '2028-02-28', to: '2028-03-01' })]).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
});

describe('nearestMonths', () => {
  it.each([
    ['whole months', '2026-01-01', '2026-12-31', '2026-01-01', '2027-01-01'],
    ['months with few days more', '2026-01-02', '2026-12-30', '2026-01-01', '2027-01-01'],
    ['months without few days', '2025-12-30', '2027-01-02', '2026-01-01', '2027-01-01'],
    ['a month with few days more', '2026-01-02', '2026-01-30', '2026-01-01', '2026-02-01'],
    ['no month for few days of it', '2026-01-10', '2026-01-15', '2026-01-10', '2026-01-10'],
    ['no month for few days of two', '2026-01-30', '2026-02-02', '2026-02-01', '2026-02-01'],
  ])('finds %s', (_title, from, to, first, end) => {
    expect(nearestMonths({ from, to }, Date.parse('2028-01-01'))).toEqual({ first, end });
  });

  it('takes the current month as a whole until today', () => {
    const months = { first: '2026-11-01', end: '2026-12-01' };
    expect(nearestMonths({ from: '2026-10-24', to: '2026-11-03' }, Date.parse('2026-11-03T15:30:00Z'))).toEqual(months);
    expect(nearestMonths({ from: '2026-11-01', to: '2026-11-03' }, Date.parse('2026-11-03T15:30:00Z'))).toEqual(months);
    expect(nearestMonths({ from: '2026-11-03', to: '2026-11-03' }, Date.parse('2026-11-03T15:30:00Z'))).toEqual({
      first: '2026-11-03',
      end: '2026-11-03',
    });
  });
});
