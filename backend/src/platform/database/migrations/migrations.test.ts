import { migrations } from './index.js';

const timestamps = migrations.map(({ name }) => Number(name.slice(-13)));

// A backup names the migrations of its time in the order in which they ran.
it('are listed in the order of their timestamps', () => {
  expect(timestamps).toEqual(timestamps.toSorted((a, b) => a - b));
  expect(new Set(timestamps).size).toBe(timestamps.length);
});
