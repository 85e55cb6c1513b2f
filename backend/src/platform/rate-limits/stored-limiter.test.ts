import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { StoredLimiter, StoreWatch } from './stored-limiter.js';

const OPTIONS = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

/** A limiter whose store fails while `isBroken`. */
function breakable() {
  const store = new RateLimiterMemory(OPTIONS);
  const state = { isBroken: false, failure: 'Command timed out', asked: 0, now: 0 };
  const asked = <T>(work: () => Promise<T>): Promise<T> => {
    state.asked += 1;
    return state.isBroken ? Promise.reject(new Error(state.failure)) : work();
  };
  const stored = {
    consume: (key: string) => asked(() => store.consume(key)),
    get: (key: string) => asked(() => store.get(key)),
    penalty: (key: string, points?: number) => asked(() => store.penalty(key, points)),
    reward: (key: string, points?: number) => asked(() => store.reward(key, points)),
  };
  const watch = new StoreWatch(() => state.now);
  const memory = new RateLimiterMemory(OPTIONS);
  return { state, limiter: new StoredLimiter(stored as unknown as RateLimiterAbstract, memory, watch) };
}

it('asks a store that does not respond once, and counts in memory meanwhile', async () => {
  const { state, limiter } = breakable();
  await limiter.consume('a');
  state.isBroken = true;
  for (let count = 1; count <= 5; count += 1) expect((await limiter.consume('a')).consumedPoints).toBe(count);
  expect((await limiter.get('a'))?.consumedPoints).toBe(5);
  await limiter.penalty('a', 3);
  await limiter.reward('a');
  expect((await limiter.get('a'))?.consumedPoints).toBe(7);
  expect(state.asked).toBe(2);
});

it('goes on in the store when it responds again', async () => {
  const { state, limiter } = breakable();
  await limiter.consume('a');
  state.isBroken = true;
  await limiter.consume('a');
  state.isBroken = false;
  state.now = 10_000;
  expect((await limiter.consume('a')).consumedPoints).toBe(2);
});

it('asks a store once after each pause, however many calls come, until it responds', async () => {
  const { state, limiter } = breakable();
  state.isBroken = true;
  await limiter.consume('a');
  for (state.now = 2_000; state.now <= 6_000; state.now += 2_000) {
    const before = state.asked;
    await Promise.all([limiter.consume('a'), limiter.consume('b'), limiter.consume('c')]);
    expect(state.asked).toBe(before + 1);
  }
  state.isBroken = false;
  await limiter.consume('a');
  const before = state.asked;
  await Promise.all([limiter.consume('a'), limiter.consume('b')]);
  expect(state.asked).toBe(before + 2);
});

it('counts a key in memory that the store refuses, and the others in the store', async () => {
  const { state, limiter } = breakable();
  state.isBroken = true;
  state.failure = 'index row size 4000 exceeds maximum 2704';
  await limiter.consume('a long name');
  state.isBroken = false;
  await limiter.consume('b');
  expect(state.asked).toBe(2);
});
