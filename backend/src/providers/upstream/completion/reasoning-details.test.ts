import { ReasoningDetails } from './reasoning-details.js';

function collect(...deltas: unknown[]): unknown[] {
  const details = new ReasoningDetails();
  for (const delta of deltas) details.push(delta);
  return details.all();
}

it('keeps details as they were sent', () => {
  const details = [
    { type: 'reasoning.encrypted', data: 'abc', id: 'r1', index: 0 },
    { type: 'reasoning.summary', summary: 'so', format: 'x', index: 1 },
    { type: 'of a later version', index: 1, nested: { a: [1] } },
  ];
  expect(collect([details[0]], details.slice(1))).toEqual(details);
});

it('joins the pieces of one detail', () => {
  expect(
    collect(
      [{ type: 'reasoning.text', text: 'one ', index: 0, signature: null }],
      [{ type: 'reasoning.text', text: 'two', index: 0 }],
      [{ type: 'reasoning.text', signature: 's', index: 0 }],
      [{ type: 'reasoning.text', text: 'three', index: 1 }],
    ),
  ).toEqual([
    { type: 'reasoning.text', text: 'one two', index: 0, signature: 's' },
    { type: 'reasoning.text', text: 'three', index: 1 },
  ]);
});

it.each([
  ['before', { thinking: 'a', signature: '' }, { thinking: '', signature: 's' }],
  ['behind', { thinking: 'a', signature: 's' }, { thinking: '', signature: '' }],
])('keeps the signature of a block with an empty one %s it', (_, one, other) => {
  const whole = { type: 'thinking', thinking: 'a', signature: 's' };
  expect(collect([{ type: 'thinking', ...one }], [{ type: 'thinking', ...other }])).toEqual([whole]);
  const numbered = (block: object): object[] => [{ type: 'thinking', index: 0, ...block }];
  expect(collect(numbered(one), numbered(other))).toEqual([{ ...whole, index: 0 }]);
});

it('has no characters that the database refuses, and keeps those that arrive in halves', () => {
  const half = (text: string) => [{ type: 'reasoning.text', text, index: 0 }];
  expect(collect(half('\ud83d'), half('\ude00'), [{ 'a\0': 'b\0', '\ud800': [] }])).toEqual([
    { type: 'reasoning.text', text: '😀', index: 0 },
    { a: 'b', '\ufffd': [] },
  ]);
});

it('drops details that are nested too deeply', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const most = nested(19);
  expect(collect([most])).toEqual([most]);
  for (const levels of [20, 200_000]) expect(collect([{ type: 'a' }], [nested(levels)])).toEqual([]);
});

it('drops details that are too large as a whole', () => {
  expect(collect([{ type: 'reasoning.text', text: 'x'.repeat(600_000) }], [{ data: 'y'.repeat(600_000) }])).toEqual([]);
  expect(collect('text', null)).toEqual([]);
});
