import { ProviderError } from '../provider-error.js';
import { PROVIDER_TIMINGS } from '../provider.js';
import { withRetries } from './retry.js';

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
