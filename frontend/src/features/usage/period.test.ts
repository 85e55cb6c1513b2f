import { choiceOf, countOf, daysError, daysOf, searchOf, stepsOf } from './period';

const TODAY = '2026-03-02';

test.each([
  ['today', '2026-03-02'],
  ['week', '2026-02-24'],
  ['days30', '2026-02-01'],
  ['month', '2026-03-01'],
] as const)('the period %s begins on %s', (preset, from) => {
  expect(daysOf(preset, TODAY)).toEqual({ from, to: TODAY });
});

test('a choice survives the address, and other searches choose 30 days', () => {
  for (const choice of ['today', 'month', { from: '2026-01-01', to: '2026-02-01' }] as const)
    expect(choiceOf(searchOf(choice))).toEqual(choice);
  for (const search of [
    {},
    { period: 'century' },
    { from: '2026-02-01', to: '2026-01-01' },
    { from: '2026-13-45', to: '2026-01-01' },
    { from: 20260101, to: '2026-02-01' },
  ])
    expect(choiceOf(search)).toBe('days30');
});

test('reports missing, reversed and too many days at their field', () => {
  expect(daysError({ from: '', to: TODAY })?.field).toBe('from');
  expect(daysError({ from: TODAY, to: '' })?.field).toBe('to');
  expect(daysError({ from: '2026-03-03', to: TODAY })?.message).toContain('must not be after');
  expect(daysError({ from: '1900-01-01', to: TODAY })?.message).toContain('3,660');
  expect(daysError({ from: TODAY, to: TODAY })).toBeNull();
});

test('steps include days and months without usage', () => {
  expect(stepsOf({ from: '2026-02-27', to: TODAY, step: 'day' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
  expect(stepsOf({ from: '2025-11-15', to: '2026-02-01', step: 'month' })).toEqual([
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
    '2026-02-01',
  ]);
  expect(countOf({ from: '2026-02-27', to: TODAY })).toBe(4);
});
