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

it('drops details that are too large as a whole', () => {
  expect(collect([{ type: 'reasoning.text', text: 'x'.repeat(600_000) }], [{ data: 'y'.repeat(600_000) }])).toEqual([]);
  expect(collect('text', null)).toEqual([]);
});
