import { ProviderError } from '../provider-error.js';
import { PROVIDER_TIMINGS } from '../provider.js';
import { withRetries } from './retry.js';

it('pauses for a server that states no delay, or one that has passed', async () => {
  const attempt = jest.fn(() => Promise.reject(new ProviderError('provider_error', { status: 503, retryAfter: 0 })));
  const timings = { ...PROVIDER_TIMINGS, retryDelay: 1_000, retryBudget: 900 };
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  // The pause exceeds the budget.
  await expect(withRetries(timings, new AbortController().signal, attempt)).rejects.toThrow(ProviderError);
  expect(attempt).toHaveBeenCalledTimes(1);
});

afterEach(() => jest.restoreAllMocks());

it.each([0, 0.999])(
  'asks a failing server once more where another model can answer, with the chance %f',
  async (chance) => {
    jest.spyOn(Math, 'random').mockReturnValue(chance);
    const timings = { ...PROVIDER_TIMINGS, retryBudget: PROVIDER_TIMINGS.retryBudgetWithFallback };
    const attempt = jest.fn(() => Promise.reject(new ProviderError('provider_error', { status: 503 })));
    await expect(withRetries(timings, new AbortController().signal, attempt)).rejects.toThrow(ProviderError);
    expect(attempt).toHaveBeenCalledTimes(2);
  },
);

it.each([
  [408, 3],
  [409, 3],
  [425, 3],
  [404, 1],
  [418, 1],
])('asks a server that fails with %i %i times', async (status, times) => {
  const attempt = jest.fn(() => Promise.reject(new ProviderError('provider_error', { status })));
  const timings = { ...PROVIDER_TIMINGS, retryDelay: 1 };
  await expect(withRetries(timings, new AbortController().signal, attempt)).rejects.toThrow(ProviderError);
  expect(attempt).toHaveBeenCalledTimes(times);
});
