import { AppError } from '../../../platform/errors/app-error.js';
import type { GenerationRow, GenerationStore } from '../store/generation-store.js';
import { Idempotency } from './idempotency.js';

const request = { owner: 'user:1', clientMessageId: 'key', requestHash: 'other' } as const;
const earlier = { id: 'earlier', request_hash: 'first' } as GenerationRow;
const repeat = (row: GenerationRow) => Promise.resolve(row);

const openIdempotency = () =>
  new Idempotency({ findByClientMessage: () => Promise.resolve(earlier) } as unknown as GenerationStore);

const limited = new AppError('rate_limited', { retryAfter: 5 });

describe('a request of other content under a known key', () => {
  it('is refused as a mismatch', async () => {
    const sent = openIdempotency().once(request, () => Promise.reject(new AppError('conflict')), repeat);
    await expect(sent).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  });

  it('is refused by the rate limit of its admission', async () => {
    const sent = openIdempotency().once(request, () => Promise.reject(limited), repeat);
    await expect(sent).rejects.toBe(limited);
  });

  it('is refused by the rate limit of a look before its admission', async () => {
    const idempotency = openIdempotency();
    const counts: string[] = [];
    const count = () => {
      counts.push('count');
      return Promise.reject(limited);
    };
    const admit = async () => (await idempotency.repeated(request, repeat, count)) ?? earlier;
    await expect(idempotency.once(request, admit, repeat)).rejects.toBe(limited);
    expect(counts).toEqual(['count']);
  });
});

it('answers a repeated request above the rate limit', async () => {
  const same = { ...request, requestHash: 'first' };
  expect(await openIdempotency().once(same, () => Promise.reject(limited), repeat)).toBe(earlier);
});
