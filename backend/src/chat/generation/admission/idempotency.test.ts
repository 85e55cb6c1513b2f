import type { Asker } from '../../../identity/identity.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { GenerationRow, GenerationStore } from '../store/generation-store.js';
import { Idempotency, type RequestKey } from './idempotency.js';
import type { SendRateLimiter } from './send-rate-limiter.js';

const asker = { owner: 'user:1' } as unknown as Asker;
const earlier = { id: 'earlier', requestHash: 'first' } as GenerationRow;
const copy = { clientMessageId: 'key', requestHash: 'first' };
const other = { clientMessageId: 'key', requestHash: 'other' };

const limited = new AppError('rate_limited', { retryAfter: 5 });
const known = new AppError('conflict');
const mismatch = { code: 'idempotency_mismatch' };

interface Situation {
  request: RequestKey;
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
  const repeat = ({ id }: GenerationRow) => (hasFailed ? null : id);
  const send = async () => {
    using begun = await idempotency.waitForTurn(asker, request);
    const known = looksFirst ? await begun.earlier() : null;
    const repeated = known && repeat(known);
    if (repeated !== null) return repeated;
    try {
      await begun.count();
      if (refusal !== undefined) throw refusal;
      return 'admitted';
    } catch (error) {
      return repeat(await begun.earlierInsteadOf(error));
    }
  };
  const outcome = await send().catch((error: unknown) => error);
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

it('begins the copies of a request one after another, and another request beside them', async () => {
  const idempotency = new Idempotency({} as GenerationStore, {} as SendRateLimiter);
  const order: string[] = [];
  const begin = async (name: string, request: RequestKey) => {
    const begun = await idempotency.waitForTurn(asker, request);
    order.push(name);
    return begun;
  };
  const first = await begin('first', copy);
  const second = begin('second', copy);
  const third = begin('third', copy);
  await begin('other', { ...copy, clientMessageId: 'other key' });
  expect(order).toEqual(['first', 'other']);
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  expect(order.slice(0, 3)).toEqual(['first', 'other', 'second']);
  (await third)[Symbol.dispose]();
  expect(order).toEqual(['first', 'other', 'second', 'third']);
});
