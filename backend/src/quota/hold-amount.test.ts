import { type ExpectedCall, holdAmount } from './hold-amount.js';

const PRICING = { prompt: '0.000001', completion: '0.00001', request: '0.01' };

const call = (fields: Partial<ExpectedCall> = {}): ExpectedCall => ({
  promptTokens: 100,
  contextLength: null,
  ...fields,
});

it.each([
  ['the fee, the prompt and 1,024 tokens', {}, '0.02034'],
  ['the tokens that the request allows', { maxTokens: 10 }, '0.0102'],
  ['no more than the model can write', { contextLength: 512 }, '0.01522'],
  ['no more than 1,024 tokens of a request that allows more', { maxTokens: 200_000 }, '0.02034'],
  ['each of several answers', { maxTokens: 10, choices: 3 }, '0.0306'],
  ['no answer of a call without text', { maxTokens: 0 }, '0.0101'],
])('holds %s', (_name, fields, amount) => {
  expect(holdAmount(call(fields), PRICING)).toBe(amount);
});

it('holds the price of an image', () => {
  expect(holdAmount(call({ images: 1 }), { image: '0.04' })).toBe('0.04');
});

it('holds nothing for a free model', () => {
  expect(holdAmount(call(), { prompt: '0', completion: '0' })).toBe('0');
});

it('rounds to the digits of a stored amount', () => {
  expect(holdAmount(call({ promptTokens: 1, maxTokens: 0 }), { prompt: '0.0000000000005', completion: '1' })).toBe(
    '0.000000000001',
  );
});

it.each([
  ['no prices', null],
  ['no price of the prompt', { completion: '1' }],
  ['no price of the answer', { prompt: '1' }],
  ['no price of an image', { request: '1' }],
])('refuses a model with %s', (_name, pricing) => {
  const images = pricing !== null && 'request' in pricing ? 1 : 0;
  expect(() => holdAmount(call({ images }), pricing)).toThrow(expect.objectContaining({ code: 'price_unknown' }));
});

it('refuses an amount that no budget can have', () => {
  const huge = { prompt: '99999999.999999999999', completion: '0' };
  expect(() => holdAmount(call(), huge)).toThrow(expect.objectContaining({ code: 'budget_too_small' }));
});
