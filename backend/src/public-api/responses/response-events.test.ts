import type { IncompleteReason } from '@tanya/contract';
import type { AnswerPiece } from '../../chat/generation/detached/detached-answer.js';
import { ResponseEvents } from './response-events.js';
import { ToolNames } from './response-tools.js';

const ID = '00000000-0000-4000-8000-000000000000';

const call = (index: number, json: string, isFirst = false): AnswerPiece => ({
  type: 'client-call',
  choice: 0,
  index,
  ...(isFirst && { start: { id: `call_${index}`, name: 'add' } }),
  json,
});

function record(pieces: AnswerPiece[], incomplete: IncompleteReason | null = null, withdrawn: readonly number[] = []) {
  const events = new ResponseEvents(ID, new ToolNames([]));
  const begun = pieces.flatMap((piece) => (piece.type === 'client-call' && piece.start ? [piece] : []));
  const calls = incomplete === 'content_filter' ? [] : begun.filter(({ index }) => !withdrawn.includes(index));
  const ids = calls.map(({ start }) => start!);
  const types = [...pieces.flatMap((piece) => events.eventsOf(piece)), ...events.end(incomplete, ids)].map(
    ({ type, ...fields }) => {
      return `${type.replace('response.', '')} ${String(fields['output_index'])}`;
    },
  );
  return { types, output: events.output };
}

const DONE_MESSAGE = ['output_text.done 0', 'content_part.done 0', 'output_item.done 0'];

it('ends the items in the order in which they began, and a call before the next one begins', () => {
  const pieces = [call(0, '{', true), call(1, '{"a"', true), call(0, '}'), call(1, ':1}')];
  const { types, output } = record([{ type: 'text', choice: 0, text: 'a' }, ...pieces]);
  const endOf = (index: number) => [`function_call_arguments.done ${index}`, `output_item.done ${index}`];
  expect(types).toEqual([
    'output_item.added 0',
    'content_part.added 0',
    'output_text.delta 0',
    'output_item.added 1',
    'function_call_arguments.delta 1',
    'function_call_arguments.delta 1',
    ...DONE_MESSAGE,
    ...endOf(1),
    'output_item.added 2',
    'function_call_arguments.delta 2',
    ...endOf(2),
  ]);
  expect(output.slice(1)).toMatchObject([{ arguments: '{}' }, { arguments: '{"a":1}' }]);
  expect(output.map((item) => [item.type, item.type === 'compaction' ? null : item.status])).toEqual([
    ['message', 'completed'],
    ['function_call', 'completed'],
    ['function_call', 'completed'],
  ]);
});

it.each([
  ['arguments', [call(0, '{', true), call(1, '{}', true), call(0, '}')], { arguments: '{}' }],
  ['the arguments of a call without any', [call(0, '', true), call(1, '{}', true), call(0, '{}')], { arguments: '{}' }],
  [
    'text after a call',
    [{ type: 'text', choice: 0, text: 'a' }, call(0, '{}', true), { type: 'text', choice: 0, text: '\n' }],
    { content: [{ text: 'a\n' }] },
  ],
] as [string, AnswerPiece[], object][])('ends an item once, and after its last piece: %s', (_name, pieces, first) => {
  const { types, output } = record(pieces);
  const done = types.indexOf('output_item.done 0');
  expect(types.lastIndexOf('output_item.done 0')).toBe(done);
  expect(types.slice(done).filter((type) => / 0$/.test(type))).toEqual(['output_item.done 0']);
  expect(types.filter((type) => type.startsWith('output_item.added'))).toHaveLength(2);
  expect(output[0]).toMatchObject({ ...first, status: 'completed' });
});

it('has one empty message for an empty answer, and marks an item that was cut', () => {
  expect(record([]).output).toMatchObject([{ type: 'message', content: [{ text: '' }] }]);
  expect(record([{ type: 'text', choice: 0, text: 'a' }], 'max_output_tokens').output).toMatchObject([
    { status: 'incomplete' },
  ]);
  const cut = record(
    [{ type: 'text', choice: 0, text: 'a' }, call(0, '{}', true), { type: 'text', choice: 0, text: 'b' }],
    'max_output_tokens',
  );
  expect(cut.output).toMatchObject([{ status: 'incomplete' }, { status: 'completed' }]);
  expect(record([], 'max_output_tokens').output).toMatchObject([{ status: 'incomplete' }]);
  const second = [call(0, '{}', true), call(1, '{', true)];
  expect(record(second, 'max_output_tokens').output).toMatchObject([{ status: 'completed' }, { status: 'incomplete' }]);
});

it.each([
  ['before calls', [{ type: 'text', choice: 0, text: 'a' }], 0, 'a'],
  ['after a call without text', [], 1, ''],
] as [string, AnswerPiece[], number, string][])(
  'ends only the message of a filtered answer, %s',
  (_name, before, index, text) => {
    const { types, output } = record([...before, call(0, '{}', true), call(1, '{', true)], 'content_filter');
    expect(output).toMatchObject([{ type: 'message', status: 'incomplete', content: [{ text }] }]);
    expect(types.filter((type) => type.includes('done'))).toEqual(
      DONE_MESSAGE.map((type) => type.replace('0', `${index}`)),
    );
  },
);

it('has no items for reasoning', () => {
  const details: AnswerPiece = { type: 'reasoning-details', choice: 0, details: [{}] };
  const text: AnswerPiece = { type: 'text', choice: 0, text: 'a' };
  expect(record([{ type: 'reasoning', choice: 0, name: 'reasoning', text: 'Hm' }, text, details])).toEqual(
    record([text]),
  );
});

it('has the items so far while the answer is written', () => {
  const events = new ResponseEvents(ID, new ToolNames([]));
  const pieces: AnswerPiece[] = [{ type: 'text', choice: 0, text: 'a' }, call(0, '{"a"', true), call(0, ':1')];
  for (const piece of pieces) events.eventsOf(piece);
  expect(events.output).toMatchObject([
    { status: 'in_progress', content: [{ text: 'a' }] },
    { status: 'in_progress', arguments: '{"a":1' },
  ]);
});

it('leaves out calls that the provider has run itself', () => {
  const pieces = [call(0, '{}', true), call(1, '{}', true)];
  const one = record(pieces, null, [0]);
  expect(one.output).toMatchObject([{ type: 'function_call', call_id: 'call_1', status: 'completed' }]);
  expect(one.types.filter((type) => type.startsWith('output_item.done'))).toEqual(['output_item.done 1']);
  const none = record(pieces, 'max_output_tokens', [0, 1]);
  expect(none.output).toMatchObject([{ type: 'message', status: 'incomplete' }]);
  expect(none.types.filter((type) => type.startsWith('output_item.done'))).toEqual(['output_item.done 1']);
});
