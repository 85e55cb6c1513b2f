import { migrations } from './index.js';

const timestamps = migrations.map(({ name }) => Number(name.slice(-13)));

it('are listed in the order of their timestamps', () => {
  expect(timestamps).toEqual(timestamps.toSorted((a, b) => a - b));
  expect(new Set(timestamps).size).toBe(timestamps.length);
});
