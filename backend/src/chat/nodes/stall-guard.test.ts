import { StallGuard } from './stall-guard.js';

function watched(ask: () => Promise<void>): { stallGuard: StallGuard; pass: (ms: number) => void } {
  let time = 0;
  return { stallGuard: new StallGuard(100, ask, () => time), pass: (ms) => (time += ms) };
}

it('asks nobody while the ticks come', async () => {
  let asked = 0;
  const { stallGuard, pass } = watched(async () => void (asked += 1));
  for (let count = 0; count < 10; count += 1) {
    pass(60);
    await stallGuard.tick();
    expect(stallGuard.isSure).toBe(true);
  }
  expect(asked).toBe(0);
});

it('is unsure from the moment it wakes until it has its answer', async () => {
  const answers: (() => void)[] = [];
  const { stallGuard, pass } = watched(() => new Promise((resolve) => answers.push(resolve)));
  pass(150);
  expect(stallGuard.isSure).toBe(false);
  const asking = stallGuard.tick();
  await stallGuard.tick();
  expect(answers).toHaveLength(1);
  expect(stallGuard.isSure).toBe(false);
  answers[0]!();
  await asking;
  expect(stallGuard.isSure).toBe(true);
});

it('asks again where it got no answer', async () => {
  let asked = 0;
  const { stallGuard, pass } = watched(async () => {
    asked += 1;
    if (asked === 1) throw new Error('away');
  });
  pass(150);
  await stallGuard.tick();
  expect(stallGuard.isSure).toBe(false);
  await stallGuard.tick();
  expect(stallGuard.isSure).toBe(true);
  expect(asked).toBe(2);
});
