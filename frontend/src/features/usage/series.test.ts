import { point } from './fake-usage';
import { addAmounts } from './measures';
import { breakDown, joinSmall } from './series';

const PERIOD = { from: '2026-11-01', to: '2026-11-03', step: 'day' } as const;

test('breaks down by step and name, the largest name first and further names last', () => {
  const points = [
    point('2026-11-01', 'small', { messages: 1 }),
    point('2026-11-01', null, { messages: 9 }),
    point('2026-11-03', 'large', { messages: 5 }),
  ];
  expect(breakDown(points, PERIOD, 'messages')).toEqual({
    steps: ['2026-11-01', '2026-11-02', '2026-11-03'],
    names: ['large', 'small', null],
    rows: [
      ['0', '1', '9'],
      ['0', '0', '0'],
      ['5', '0', '0'],
    ],
  });
});

test.each([
  ['tokens', '7'],
  ['cost', '0.000000000001'],
  ['answers', '2'],
] as const)('measures %s', (measure, amount) => {
  const sums = { generations: 2, promptTokens: 4, completionTokens: 3, costUsd: '0.000000000001' };
  expect(breakDown([point('2026-11-01', 'one', sums)], PERIOD, measure).rows[0]).toEqual([amount]);
});

test('a chart draws five names and joins the others to the last digit', () => {
  const points = ['a', 'b', 'c', 'd', 'e', 'f', null].map((name, index) =>
    point('2026-11-01', name, { costUsd: `${7 - index}.000000000001` }),
  );
  const joined = joinSmall(breakDown(points, PERIOD, 'cost'));
  expect(joined.names).toEqual(['a', 'b', 'c', 'd', 'e', null]);
  expect(joined.rows[0]?.at(-1)).toBe('3.000000000002');
});

test('a cost of which nothing is known is no cost of 0, also in sums', () => {
  const unknown = { generations: 1, unpriced: 1 };
  const points = [
    point('2026-11-01', 'one', unknown),
    point('2026-11-02', 'one', { generations: 1 }),
    point('2026-11-03', 'one', { generations: 1, costUsd: '0.5' }),
  ];
  const amounts = breakDown(points, PERIOD, 'cost').rows.flat();
  expect(amounts).toEqual([null, '0', '0.5']);
  expect(addAmounts(amounts)).toBe('0.5');
  expect(addAmounts(amounts.slice(0, 2))).toBeNull();
  expect(breakDown(points, PERIOD, 'answers').rows.flat()).toEqual(['1', '1', '1']);
});

test('a chart of few names is as the report has it', () => {
  const whole = breakDown(
    ['a', 'b', null].map((name) => point('2026-11-01', name, { messages: 1 })),
    PERIOD,
    'messages',
  );
  expect(joinSmall(whole)).toBe(whole);
});
