import { showLanguage } from './load-texts';
import {
  formatCompact,
  formatDay,
  formatExactUsd,
  formatMilliseconds,
  formatMonth,
  formatPercent,
  formatShortDay,
  formatUsd,
} from './report-formats';

beforeAll(() => showLanguage('en'));
afterAll(() => showLanguage('spec'));

test.each([
  ['0', '$0.00'],
  ['0.1', '$0.10'],
  ['12.345678', '$12.35'],
  ['1234567.891', '$1,234,567.89'],
  ['0.07', '$0.07'],
  ['0.0123456', '$0.0123'],
  ['0.000123456', '$0.000123'],
  ['0.000000000008', '$0.000000000008'],
])('shows the amount %s as %s', (amount, shown) => {
  expect(formatUsd(amount)).toBe(shown);
});

test('an exact amount keeps digits that a number would lose', () => {
  expect(formatExactUsd('12345678.123456789012')).toBe('$12,345,678.123456789012');
});

test('numbers, shares and times follow the language', async () => {
  expect([formatCompact(12_345_678), formatPercent(0.0421), formatMilliseconds(850), formatMilliseconds(1430)]).toEqual(
    ['12.3M', '4.2%', '850 ms', '1.4 sec'],
  );
  await showLanguage('id');
  expect([formatUsd('1234.5'), formatPercent(0.0421), formatMilliseconds(1430)]).toEqual([
    'US$1.234,50',
    '4,2%',
    '1,4 dtk',
  ]);
  await showLanguage('en');
});

test('a day is the same in every time zone', () => {
  expect([formatDay('2026-11-01'), formatShortDay('2026-11-01'), formatMonth('2026-11-01')]).toEqual([
    'Nov 1, 2026',
    'Nov 1',
    'Nov 2026',
  ]);
});
