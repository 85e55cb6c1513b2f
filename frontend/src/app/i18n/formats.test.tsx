import { jest } from '@jest/globals';
import { formatDate, formatDateTime, formatDecimal, formatMoment, formatNumber } from './formats';
import { showLanguage } from './load-texts';

afterEach(() => showLanguage('spec'));

test('numbers and dates follow the language of the page', async () => {
  const noon = new Date(2026, 10, 22, 12, 5);
  await showLanguage('id');
  expect(formatNumber(1234567)).toBe('1.234.567');
  expect(formatDecimal(1.25)).toBe('1,3');
  expect(formatMoment(noon, noon)).toBe('12.05');
  expect(formatMoment(noon, new Date(2026, 10, 23))).toBe('Min, 22 Nov, 12.05');
  expect(formatMoment(noon, new Date(2027, 0, 1))).toBe('Min, 22 Nov 2026, 12.05');
  expect(formatDateTime(noon)).toMatch(/^22 Nov 2026/);
  await showLanguage('en');
  expect(formatNumber(1234567)).toBe('1,234,567');
  expect(formatDecimal(1.25)).toBe('1.3');
});

test('numbers of the default catalogue are English in every browser, as those inside of its texts; dates are not', async () => {
  const languages = jest.spyOn(navigator, 'languages', 'get').mockReturnValue(['de-DE', 'de']);
  await showLanguage('spec');
  const german = jest.spyOn(Intl, 'DateTimeFormat');
  expect(formatNumber(1234)).toBe('1,234');
  // Without a locale, they are the browser's.
  formatDate(new Date());
  expect(german.mock.calls[0]?.[0]).toBeUndefined();
  german.mockRestore();
  languages.mockRestore();
});
