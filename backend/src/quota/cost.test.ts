import { type Consumption, costOf, shownUsd, storedAmount } from './cost.js';

const used = (fields: Partial<Consumption>): Consumption => ({
  requests: 1,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  images: 0,
  ...fields,
});

const costIn = (fields: Partial<Consumption>, pricing: Parameters<typeof costOf>[1]) =>
  storedAmount(costOf(used(fields), pricing));

describe('the cost of a call', () => {
  it.each([
    [
      'tokens',
      { promptTokens: 3, completionTokens: 7 },
      { prompt: '0.000000000001', completion: '0.1' },
      '0.700000000003',
    ],
    ['a fee', { requests: 2 }, { prompt: '1', request: '0.005' }, '0.01'],
    ['cached tokens', { promptTokens: 10, cachedTokens: 4 }, { prompt: '2', cachedPrompt: '0.5' }, '14'],
    ['cached tokens without a price', { promptTokens: 10, cachedTokens: 4 }, { prompt: '2' }, '20'],
    ['more cached tokens than tokens', { promptTokens: 1, cachedTokens: 4 }, { prompt: '2', cachedPrompt: '1' }, '1'],
    ['an image', { images: 2 }, { image: '0.04', request: '0.001' }, '0.081'],
    ['an image with tokens alone', { images: 1, completionTokens: 10 }, { completion: '0.004' }, '0.04'],
    ['a free model', { promptTokens: 9, completionTokens: 9 }, { prompt: '0', completion: '0' }, '0'],
    ['an embedding', { promptTokens: 9 }, { prompt: '0.00000002' }, '0.00000018'],
  ])('adds up %s exactly', (_name, fields, pricing, expected) => {
    expect(costIn(fields, pricing)).toBe(expected);
  });

  it.each([
    ['a model without prices', { promptTokens: 1 }, null],
    ['tokens without a price', { promptTokens: 1, completionTokens: 1 }, { prompt: '1' }],
    ['an image without a price', { images: 1 }, { prompt: '1', completion: '1' }],
    ['an amount that cannot be stored', { promptTokens: 2_000_000_000 }, { prompt: '99999999' }],
  ])('is unknown for %s', (_name, fields, pricing) => {
    expect(costIn(fields, pricing)).toBeNull();
  });
});

it.each([
  ['0.012345', '0.0124', '0.0123'],
  ['0.0000001', '0.0000001', '0.0000001'],
  ['1.239', '1.24', '1.23'],
  ['1234.5', '1234.5', '1234.5'],
  ['0.9999', '1', '0.999'],
])('shows people %s USD as at most %s and at least %s', (amount, most, least) => {
  expect([shownUsd(amount, 'up'), shownUsd(amount, 'down')]).toEqual([most, least]);
});
