import { Vigil } from './vigil.js';

function watched(ask: () => Promise<void>): { vigil: Vigil; pass: (ms: number) => void } {
  let time = 0;
  return { vigil: new Vigil(100, ask, () => time), pass: (ms) => (time += ms) };
}

it('asks nobody while the ticks come', async () => {
  let asked = 0;
  const { vigil, pass } = watched(async () => void (asked += 1));
  for (let count = 0; count < 10; count += 1) {
    pass(60);
    await vigil.tick();
    expect(vigil.isSure).toBe(true);
  }
  expect(asked).toBe(0);
});

it('is unsure from the moment it wakes until it has its answer', async () => {
  const answers: (() => void)[] = [];
  const { vigil, pass } = watched(() => new Promise((resolve) => answers.push(resolve)));
  pass(150);
  expect(vigil.isSure).toBe(false);
  const asking = vigil.tick();
  await vigil.tick();
  expect(answers).toHaveLength(1);
  expect(vigil.isSure).toBe(false);
  answers[0]!();
  await asking;
  expect(vigil.isSure).toBe(true);
});

it('asks again where it got no answer', async () => {
  let asked = 0;
  const { vigil, pass } = watched(async () => {
    asked += 1;
    if (asked === 1) throw new Error('away');
  });
  pass(150);
  await vigil.tick();
  expect(vigil.isSure).toBe(false);
  await vigil.tick();
  expect(vigil.isSure).toBe(true);
  expect(asked).toBe(2);
});
