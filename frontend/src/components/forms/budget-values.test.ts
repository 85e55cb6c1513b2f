import { amountOf, checkAmount } from './budget-values';

test.each(['', ' ', '0', '12.50', ' 0.000000000001 ', '99999999'])('%j is an amount', (text) => {
  expect(checkAmount(text)).toBe(true);
});

test.each(['-1', '1,5', '1e3', 'abc', '.5', '999999999', '0.0000000000001'])('%j is refused', (text) => {
  expect(checkAmount(text)).toBe('Please enter an amount such as 12.50.');
});

test('a blank amount removes a budget', () => {
  expect(amountOf(' ')).toBeNull();
  expect(amountOf(' 12.50 ')).toBe('12.50');
});
