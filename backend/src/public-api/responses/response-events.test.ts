import type { AnswerPiece } from '../../chat/generation/detached-generations.js';
import { ResponseEvents } from './response-events.js';
import { ToolNames } from './tool-namespaces.js';

const ID = '00000000-0000-4000-8000-000000000000';

const call = (index: number, json: string, isFirst = false): AnswerPiece => ({
  type: 'client-call',
  index,
  ...(isFirst && { start: { id: `call_${index}`, name: 'add' } }),
  json,
});

function record(pieces: AnswerPiece[], isCut = false) {
  const events = new ResponseEvents(ID, new ToolNames([]));
  const types = [...pieces.flatMap((piece) => events.take(piece)), ...events.end(isCut)].map(({ type, ...fields }) => {
    return `${type.replace('response.', '')} ${String(fields['output_index'])}`;
  });
  return { types, output: events.output };
}

it('ends each item before the next one begins', () => {
  const { types, output } = record([{ type: 'text', text: 'a' }, call(0, '{}', true), call(1, '{}', true)]);
  expect(types).toEqual([
    'output_item.added 0',
    'content_part.added 0',
    'output_text.delta 0',
    'output_text.done 0',
    'content_part.done 0',
    'output_item.done 0',
    ...[1, 2].flatMap((index) => [
      `output_item.added ${index}`,
      `function_call_arguments.delta ${index}`,
      `function_call_arguments.done ${index}`,
      `output_item.done ${index}`,
    ]),
  ]);
  expect(output.map(({ type, status }) => [type, status])).toEqual([
    ['message', 'completed'],
    ['function_call', 'completed'],
    ['function_call', 'completed'],
  ]);
});

it('continues an item that gets a later piece, and ends it once more', () => {
  const { types, output } = record([call(0, '{', true), call(1, '{}', true), call(0, '}')]);
  expect(types.filter((type) => type === 'output_item.done 0')).toHaveLength(2);
  expect(output[0]).toMatchObject({ arguments: '{}', status: 'completed' });
});

it('has one empty message for an empty answer, and marks an item that was cut', () => {
  expect(record([]).output).toMatchObject([{ type: 'message', content: [{ text: '' }] }]);
  expect(record([{ type: 'text', text: 'a' }], true).output).toMatchObject([{ status: 'incomplete' }]);
});

it('has no items for reasoning', () => {
  const details: AnswerPiece = { type: 'reasoning-details', details: [{}] };
  const text: AnswerPiece = { type: 'text', text: 'a' };
  expect(record([{ type: 'reasoning', name: 'reasoning', text: 'Hm' }, text, details])).toEqual(record([text]));
});
