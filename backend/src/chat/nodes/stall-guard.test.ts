import { StallGuard } from './verified-ownership.js';

function createGuard(verify: () => Promise<void>): { guard: StallGuard; advance: (ms: number) => void } {
  let time = 0;
  return { guard: new StallGuard(100, verify, () => time), advance: (ms) => (time += ms) };
}

it('does not verify while ticks arrive in time', async () => {
  let calls = 0;
  const { guard, advance } = createGuard(async () => void (calls += 1));
  for (let count = 0; count < 10; count += 1) {
    advance(60);
    await guard.tick();
    expect(guard.isVerified).toBe(true);
  }
  expect(calls).toBe(0);
});

it('is unverified from the end of a stall until the verification has succeeded', async () => {
  const pending: (() => void)[] = [];
  const { guard, advance } = createGuard(() => new Promise((resolve) => pending.push(resolve)));
  advance(150);
  expect(guard.isVerified).toBe(false);
  const tick = guard.tick();
  await guard.tick();
  expect(pending).toHaveLength(1);
  expect(guard.isVerified).toBe(false);
  pending[0]!();
  await tick;
  expect(guard.isVerified).toBe(true);
});

it('repeats a failed verification at the next tick', async () => {
  let calls = 0;
  const { guard, advance } = createGuard(async () => {
    calls += 1;
    if (calls === 1) throw new Error('unavailable');
  });
  advance(150);
  await guard.tick();
  expect(guard.isVerified).toBe(false);
  await guard.tick();
  expect(guard.isVerified).toBe(true);
  expect(calls).toBe(2);
});
