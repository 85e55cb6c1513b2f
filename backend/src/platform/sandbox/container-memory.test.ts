import { memoryShortage, neededMegabytes } from './container-memory.js';

const MEGABYTE = 1024 * 1024;

it('finds a container too small for its processes and their children', () => {
  const one = neededMegabytes(1);
  expect(memoryShortage(1, one * MEGABYTE)).toBeNull();
  expect(memoryShortage(1, one * MEGABYTE - 1)).toEqual({ limit: one - 1, needed: one });
  expect(memoryShortage(3, one * MEGABYTE)).toEqual({ limit: one, needed: 3 * one });
  expect(memoryShortage(3, 3 * one * MEGABYTE)).toBeNull();
});

it.each([0, 2 ** 64])('expects no shortage without a limit (%d)', (limit) => {
  expect(memoryShortage(8, limit)).toBeNull();
});
