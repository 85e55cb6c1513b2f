import type { Asker } from '../../../identity/identity.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { GenerationRow, GenerationStore } from '../store/generation-store.js';
import { Idempotency } from './idempotency.js';
import type { SendRateLimiter } from './send-rate-limiter.js';

const request = { owner: 'user:1', clientMessageId: 'key', requestHash: 'other' } as const;
const earlier = { id: 'earlier', request_hash: 'first' } as GenerationRow;
const asker = { owner: 'user:1' } as unknown as Asker;

const limited = new AppError('rate_limited', { retryAfter: 5 });

/** @param limiter that a look before an admission counts in */
const idempotencyWith = (limiter: Partial<SendRateLimiter> = {}) => {
  const store = { findByClientMessage: () => Promise.resolve(earlier) } as unknown as GenerationStore;
  return new Idempotency(store, limiter as SendRateLimiter);
};

describe('a request of other content under a known key', () => {
  it('is refused as a mismatch', async () => {
    const found = idempotencyWith().earlierThanRefusal(request, new AppError('conflict'));
    await expect(found).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  });

  it('is refused by the rate limit of its admission', async () => {
    await expect(idempotencyWith().earlierThanRefusal(request, limited)).rejects.toBe(limited);
  });

  it('is refused by the rate limit of a look before its admission, and counts once', async () => {
    const counted: Asker[] = [];
    const count = (sender: Asker) => {
      counted.push(sender);
      return Promise.reject(limited);
    };
    await expect(idempotencyWith({ count }).earlier(request, asker)).rejects.toBe(limited);
    expect(counted).toEqual([asker]);
  });
});

it('answers a repeated request above the rate limit', async () => {
  const same = { ...request, requestHash: 'first' };
  expect(await idempotencyWith().earlierThanRefusal(same, limited)).toBe(earlier);
});

it('rethrows the refusal of a request that is no repeat, and every other failure', async () => {
  const failure = new Error('away');
  await expect(idempotencyWith().earlierThanRefusal(request, failure)).rejects.toBe(failure);
  const store = { findByClientMessage: () => Promise.resolve(null) } as unknown as GenerationStore;
  const unknown = new Idempotency(store, {} as SendRateLimiter).earlierThanRefusal(request, limited);
  await expect(unknown).rejects.toBe(limited);
});

it('runs the copies of a request one after another', async () => {
  const idempotency = idempotencyWith();
  const order: string[] = [];
  let release!: () => void;
  const first = idempotency.oneByOne(request, async () => {
    await new Promise<void>((resolve) => (release = resolve));
    order.push('first');
    throw limited;
  });
  const second = idempotency.oneByOne(request, async () => void order.push('second'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  release();
  await expect(first).rejects.toBe(limited);
  await second;
  expect(order).toEqual(['first', 'second']);
});
