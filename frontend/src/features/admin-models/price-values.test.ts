import { checkPrice, toPriceValues, toPricing } from './price-values';

const NONE = { prompt: '', completion: '', cachedPrompt: '', request: '', image: '', search: '' };

test('tokens are priced per million and other units one by one, to the last digit', () => {
  const stored = { prompt: '0.00000015', completion: '0.000000000001', image: '0.04', request: '0' };
  const values = toPriceValues(stored);
  expect(values).toEqual({ ...NONE, prompt: '0.15', completion: '0.000001', image: '0.04', request: '0' });
  expect(toPricing(values, stored)).toEqual(stored);
});

test('a blank price is unknown, not zero', () => {
  expect(toPriceValues(null)).toEqual(NONE);
  expect(toPricing(NONE, { prompt: '1' })).toBeNull();
  expect(toPricing({ ...NONE, prompt: ' 3 ' }, null)).toEqual({ prompt: '0.000003' });
});

test('a price that the form does not show stays', () => {
  expect(toPricing({ ...NONE, search: '0.01' }, { reasoning: '0.5', prompt: '1' })).toEqual({
    reasoning: '0.5',
    search: '0.01',
  });
});

test('a price that was not edited stays as another admin has set it', () => {
  expect(toPricing({ ...NONE, prompt: '3', image: '0.04' }, { image: '0.05' }, ['prompt'])).toEqual({
    prompt: '0.000003',
    image: '0.05',
  });
});

test.each(['-1', 'free', '1e3', '1,5', '.5', '999999999', '0.0000001', 'NaN', 'Infinity', '١'])(
  'refuses %s as a price of tokens',
  (value) => {
    expect(checkPrice('prompt', value)).toContain('at most 6 digits');
  },
);

test.each(['', ' 0.15 ', '0', '99999999', '0.000001'])('takes %p as a price of tokens', (value) => {
  expect(checkPrice('prompt', value)).toBe(true);
});

test('a price of an image may have all digits', () => {
  expect(checkPrice('image', '0.000000000001')).toBe(true);
});
