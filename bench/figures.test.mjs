import { figure, median, summarise, table } from './figures.mjs';

test('the median of an even number of values lies between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('figures of several rounds form one row with its range', () => {
  const [row] = summarise([figure('cost', 2, '×'), figure('cost', 1, '×'), figure('cost', 4, '×')]);
  expect(row).toMatchObject({ name: 'cost', median: 2, least: 1, most: 4, spread: 1.5, goal: '' });
});

test.each([
  [1, { atMost: 1 }, 'reached (≤ 1)'],
  [3, { atMost: 2 }, 'not reached: 1.5 × the goal of ≤ 2'],
  [2, { atLeast: 1 }, 'reached (≥ 1)'],
  [1, { atLeast: 2 }, 'not reached: 0.5 × the goal of ≥ 2'],
  [Number.NaN, { atMost: 1 }, 'not measured'],
])('a value of %d beside the goal %o is %s', (value, bound, goal) => {
  expect(summarise([figure('cost', value, '', bound)])[0].goal).toBe(goal);
});

test('the table shows each row with its goal', () => {
  const rows = summarise([figure('cost', 0.5, '×', { atMost: 0.9 })]);
  expect(table(rows).split('\n').at(-1)).toBe('| cost   | 0.5 ×  |       | reached (≤ 0.9) |');
});
