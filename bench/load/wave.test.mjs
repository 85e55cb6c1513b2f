import { lengthOf, streamsAt, turningPoints, utilisation } from './wave.mjs';

const PHASES = [
  { seconds: 10, to: 120 },
  { seconds: 5, to: 120 },
  { seconds: 20, to: 20 },
];

test('a wave takes the sum of its phases', () => {
  expect(lengthOf(PHASES)).toBe(35);
});

test.each([
  [0, 20],
  [5, 70],
  [10, 120],
  [14.9, 120],
  [25, 70],
  [35, 20],
  [60, 20],
])('a wave has at second %d %d streams', (second, streams) => {
  expect(streamsAt(20, PHASES, second)).toBe(streams);
});

test.each([
  ['no values', [], 0],
  ['a flat series', [1, 2, 1, 3, 1], 0],
  ['a series that only rises', [1, 10, 20, 30], 0],
  ['one rise and one fall', [1, 17, 25, 27, 24, 50, 25, 17, 1], 1],
  ['a fall and a rise', [50, 25, 40], 1],
  ['a series that swings between two beats', [1, 17, 25, 17, 25, 17, 1], 3],
  ['a slow fall in small steps', [20, 17, 14, 11, 20], 1],
])('counts the turning points of %s', (_name, values, turns) => {
  expect(turningPoints(values, 6)).toBe(turns);
});

test('the utilisation is the active share of the interval', () => {
  expect(utilisation({ idle: 100, active: 50 }, { idle: 160, active: 90 })).toBe(0.4);
  expect(utilisation({ idle: 1, active: 1 }, { idle: 1, active: 1 })).toBe(0);
});
