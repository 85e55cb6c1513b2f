import { applyPartChange, type MessagePart, type PartChange, textOfParts } from '@tanya/contract';

const applied = (...changes: PartChange[]): MessagePart[] =>
  changes.reduce<MessagePart[]>((parts, change) => applyPartChange(parts, change), []);

const tool = (state: 'running' | 'done'): MessagePart => ({
  type: 'tool',
  callId: 'a',
  tool: 'add',
  title: 'Add',
  args: {},
  state,
});

it('extends the part that a delta names, and replaces a part', () => {
  const parts = applied(
    { type: 'reasoning-delta', text: 'h', part: 0 },
    { type: 'reasoning-delta', text: 'm', part: 0 },
    { type: 'text-delta', text: 'One. ', part: 1 },
    { type: 'part', index: 2, part: tool('running') },
    { type: 'part', index: 2, part: tool('done') },
    { type: 'text-delta', text: 'Two.', part: 3 },
  );
  expect(parts).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'One. ' },
    tool('done'),
    { type: 'text', text: 'Two.' },
  ]);
  expect([textOfParts(parts, 'text'), textOfParts(parts, 'reasoning')]).toEqual(['One. Two.', 'hm']);
});

it('takes deltas of older servers, which name no part', () => {
  expect(
    applied(
      { type: 'reasoning-delta', text: 'h' },
      { type: 'text-delta', text: 'a' },
      { type: 'text-delta', text: 'b' },
    ),
  ).toEqual([
    { type: 'reasoning', text: 'h' },
    { type: 'text', text: 'ab' },
  ]);
});

it('keeps the other parts the same objects', () => {
  const before = applied({ type: 'text-delta', text: 'a', part: 0 }, { type: 'part', index: 1, part: tool('running') });
  const after = applyPartChange(before, { type: 'text-delta', text: 'b', part: 2 });
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
});
