import type { Asker } from '../../../identity/identity.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { GenerationRow, GenerationStore } from '../store/generation-store.js';
import { type CountSend, Idempotency, type IdentifiedRequest } from './idempotency.js';
import type { SendRateLimiter } from './send-rate-limiter.js';

const asker = { owner: 'user:1' } as unknown as Asker;
const earlier = { id: 'earlier', request_hash: 'first' } as GenerationRow;
const copy = { clientMessageId: 'key', requestHash: 'first' };
const other = { clientMessageId: 'key', requestHash: 'other' };

const limited = new AppError('rate_limited', { retryAfter: 5 });
const known = new AppError('conflict');
const mismatch = { code: 'idempotency_mismatch' };

interface Situation {
  request: IdentifiedRequest;
  looksFirst?: boolean;
  /** The generation with the key; the earlier one by default. */
  row?: GenerationRow | null;
  /** What refuses the admission after the count; without it the request is admitted. */
  refusal?: Error;
  isLimited?: boolean;
  hasFailed?: boolean;
}

/** Sends a request. @returns its outcome, and the sends that counted in the end */
async function sent({ request, looksFirst = false, row = earlier, refusal, isLimited, hasFailed }: Situation) {
  let counted = 0;
  let looks = 0;
  const find = async () => {
    looks += 1;
    return row;
  };
  const limiter = {
    count: async () => {
      if (isLimited) throw limited;
      counted += 1;
    },
    refund: async () => void (counted -= 1),
  } as unknown as SendRateLimiter;
  const idempotency = new Idempotency({ findByClientMessage: find } as unknown as GenerationStore, limiter);
  const admit = async (count: CountSend) => {
    await count();
    if (refusal !== undefined) throw refusal;
    return 'admitted';
  };
  const repeat = async ({ id }: GenerationRow) => (hasFailed ? null : id);
  const outcome = await idempotency
    .admitOrRepeat(asker, request, { admit, repeat, looksFirst })
    .catch((error: unknown) => error);
  return { outcome, counted, looks };
}

describe('the same request again', () => {
  it('gets the first answer, and its send back', async () => {
    expect(await sent({ request: copy, refusal: known })).toEqual({ outcome: 'earlier', counted: 0, looks: 1 });
  });

  it('gets it above the rate limit', async () => {
    expect(await sent({ request: copy, isLimited: true })).toEqual({ outcome: 'earlier', counted: 0, looks: 1 });
  });

  it('gets it without an admission where that would do something twice', async () => {
    expect(await sent({ request: copy, looksFirst: true })).toEqual({ outcome: 'earlier', counted: 0, looks: 1 });
  });

  it('gets back no send that counted before its admission', async () => {
    const request = { ...copy, isCounted: true };
    expect(await sent({ request, refusal: known })).toMatchObject({ outcome: 'earlier', counted: 0 });
  });

  it('is admitted after the first one has failed', async () => {
    const again = await sent({ request: copy, looksFirst: true, hasFailed: true });
    expect(again).toMatchObject({ outcome: 'admitted', counted: 1 });
  });
});

describe('another content under a known key', () => {
  it.each([false, true])('is a mismatch that counts as a send, looking first: %s', async (looksFirst) => {
    const { outcome, counted } = await sent({ request: other, refusal: known, looksFirst });
    expect(outcome).toMatchObject(mismatch);
    expect(counted).toBe(1);
  });

  it.each([false, true])('is refused by the rate limit, looking first: %s', async (looksFirst) => {
    expect(await sent({ request: other, isLimited: true, looksFirst })).toMatchObject({ outcome: limited });
  });
});

it('refuses a request that is no repetition as its admission does', async () => {
  expect(await sent({ request: copy, row: null, refusal: known })).toMatchObject({ outcome: known, counted: 1 });
  const failure = new Error('away');
  expect(await sent({ request: copy, refusal: failure })).toMatchObject({ outcome: failure, looks: 0 });
});

it('looks for no copy of a request whose id is new', async () => {
  const request = { ...copy, isFresh: true };
  expect(await sent({ request, refusal: known, looksFirst: true })).toMatchObject({ outcome: known, looks: 0 });
});

it('admits the copies of a request one after another', async () => {
  const store = { findByClientMessage: async () => null } as unknown as GenerationStore;
  const idempotency = new Idempotency(store, {} as SendRateLimiter);
  const order: string[] = [];
  let release!: () => void;
  const after = (admit: () => Promise<void>) =>
    idempotency.admitOrRepeat(asker, copy, { admit, repeat: async () => null, looksFirst: false });
  const first = after(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    order.push('first');
    throw limited;
  });
  const second = after(async () => void order.push('second'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  release();
  await expect(first).rejects.toBe(limited);
  await second;
  expect(order).toEqual(['first', 'second']);
});
