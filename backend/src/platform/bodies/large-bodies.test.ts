import { jest } from '@jest/globals';
import { LargeBodies } from './large-bodies.js';

const MB = 1024 * 1024;

const account = (key: string) => ({ key, isGuest: false });
const guest = (key: string) => ({ key, isGuest: true });

/** Whether a body gets its turn without waiting. */
async function enters(bodies: LargeBodies, sender: { key: string; isGuest: boolean }, bytes = MB): Promise<boolean> {
  const entered = bodies.enter(sender, bytes).then(
    () => true,
    () => false,
  );
  return Promise.race([entered, Promise.resolve().then(() => Promise.resolve(false))]);
}

beforeEach(() => jest.useFakeTimers());

afterEach(() => jest.useRealTimers());

it('reads one body of a sender at a time', async () => {
  const bodies = new LargeBodies();
  const first = await bodies.enter(account('a'), MB);
  const second = bodies.enter(account('a'), MB);
  let isSecond = false;
  void second.then(() => (isSecond = true));
  await Promise.resolve();
  expect(isSecond).toBe(false);
  first.endReading(MB);
  await second;
});

it('refuses a body whose turn does not come within a second', async () => {
  const bodies = new LargeBodies();
  const first = await bodies.enter(account('a'), MB);
  const refusal = expect(bodies.enter(account('a'), MB)).rejects.toMatchObject({ code: 'server_busy', retryAfter: 1 });
  await jest.advanceTimersByTimeAsync(1_000);
  await refusal;
  first.endReading(MB);
  await bodies.enter(account('a'), MB);
});

it('reads four bodies at once, two of them of guests', async () => {
  const bodies = new LargeBodies();
  const turns = [await bodies.enter(guest('a'), MB), await bodies.enter(guest('b'), MB)];
  expect(await enters(bodies, guest('c'))).toBe(false);
  turns.push(await bodies.enter(account('d'), MB), await bodies.enter(account('e'), MB));
  expect(await enters(bodies, account('f'))).toBe(false);
  turns[2]!.endReading(MB);
  // The account waits longer, and the guest must wait for another guest.
  expect(await enters(bodies, account('g'))).toBe(false);
});

it('keeps bodies in memory up to a bound, and those of one sender up to a lower one', async () => {
  const bodies = new LargeBodies();
  const kept = [await bodies.enter(account('a'), 32 * MB)];
  kept[0]!.endReading(32 * MB);
  expect(await enters(bodies, account('a'), 17 * MB)).toBe(false);
  for (const key of ['b', 'c']) kept.push(await bodies.enter(account(key), 40 * MB));
  kept[1]!.endReading(40 * MB);
  expect(await enters(bodies, account('d'), 17 * MB)).toBe(false);
  kept[2]!.endReading(MB);
  expect(await enters(bodies, account('e'), 17 * MB)).toBe(true);
  for (const turn of [...kept, ...kept]) turn.release();
  expect(await enters(bodies, account('f'), 32 * MB)).toBe(true);
});
