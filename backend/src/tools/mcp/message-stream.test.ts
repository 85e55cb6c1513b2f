import { MessageStream } from './message-stream.js';
import { parseJson, readMessages } from './rpc-messages.js';

const ASKED = { id: 4, method: 'tools/call' };
const BOUNDS = { values: 200_000, depth: 64 };
const ANSWER = '{"jsonrpc":"2.0","id":4,"result":{"content":[]}}';

function* piecesOf(text: string, size: number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it.each([
  ['data', `data: ${ANSWER.replace('[]', `[${' '.repeat(4_000_000)}]`)}`],
  ['another field', `event: ${'x'.repeat(4_000_000)}\ndata: ${ANSWER}`],
  ['lines', `${'retry: 1\n'.repeat(400_000)}data: ${ANSWER}`],
  ['lines that end as JSON does', `${': }\n'.repeat(1_000_000)}data: ${ANSWER}`],
])('reads an event of millions of characters in pieces of a few: %s', (_name, event) => {
  const stream = new MessageStream(ASKED, BOUNDS, null);
  let written = '';
  for (const piece of piecesOf(`${event}\n\n`, 32)) written += stream.push(piece);
  expect(stream.isAnswered).toBe(true);
  expect(written).toContain('"content"');
});

it.each(['\n', '\r\n', '\r'])(
  'reads an answer without the line that ends it, after an event that came in bytes: %j',
  (end) => {
    const stream = new MessageStream(ASKED, BOUNDS, null);
    for (const piece of piecesOf(`: greeting${end}${end}data: hello${end}${end}data: ${ANSWER}`, 1)) stream.push(piece);
    expect(stream.isAnswered).toBe(true);
  },
);

it('reads the JSON that servers write by hand, or in Python', () => {
  const [message] = parseJson('{"id":4,"result":{"content":"two\nlines","score":NaN}}').values;
  expect(message).toEqual({ id: 4, result: { content: 'two\nlines', score: null } });
});

it('reads no more messages than a server sends for one request', () => {
  const batch = Array.from({ length: 90_000 }, () => ({ id: 4, result: {} }));
  expect(readMessages([batch], ASKED).length).toBeLessThan(2_000);
  expect(() => parseJson('{"id":1}\n'.repeat(90_000))).toThrow(SyntaxError);
  expect(parseJson('{"id":1}\n'.repeat(90)).values).toHaveLength(90);
});
