import { ImportRunner } from './import-runner.js';

const openRunner = () => new (ImportRunner as unknown as new () => ImportRunner)();

/** Places of a node for imports that run or wait. */
const PLACES = 12;

it('reserves a place for each account that uploads, and refuses further ones until one is free', () => {
  const runner = openRunner();
  for (let userId = 1; userId <= PLACES; userId += 1) expect(runner.reserve(userId)).toBe(true);
  expect(runner.reserve(99)).toBe(false);
  runner.release(1);
  expect(runner.reserve(99)).toBe(true);
  expect(runner.reserve(1)).toBe(false);
});

it('gives each of two uploads of one account a place, since each file is on the disk', () => {
  const runner = openRunner();
  for (const isReserved of [true, true, false]) expect(runner.reserve(1)).toBe(isReserved);
  for (let userId = 2; userId < PLACES; userId += 1) expect(runner.reserve(userId)).toBe(true);
  expect(runner.reserve(99)).toBe(false);
  runner.release(1);
  expect(runner.reserve(99)).toBe(true);
});
