import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { eventStreams } from '../../../test/fuzz/event-streams.js';
import { FUZZ_SEED, FUZZ_TIMEOUT_MS, fuzzRuns, mutatedJson, mutatedValue } from '../../../test/fuzz/mutated-json.js';
import { MAX_RESULT_BYTES } from '../cut-text.js';
import { callResult } from './call-result.js';
import { JsonTrim } from './json-trim.js';
import { MessageStream } from './message-stream.js';
import { modelSchema } from './model-schema.js';
import { isAnswer, parseJson, readMessages } from './rpc-messages.js';
import { usableTools } from './tool-definitions.js';

const STREAMS = fuzzRuns(3_000);
const ASKED = { id: 4, method: 'tools/call' };
const JSON_BOUNDS = { values: 200_000, depth: 64 };
const TRIM = { depth: 48, level: 2, bytes: 128 * 1024 };

const message = (fields: object): object => ({ jsonrpc: '2.0', ...fields });
const result = (text: string): object => ({ content: [{ type: 'text', text }], structuredContent: { text } });
const data = (value: unknown): string => `data: ${JSON.stringify(value)}`;

type Kind = 'answer' | 'nothing';

const EVENTS: readonly (readonly [Kind, string])[] = [
  ['answer', data(message({ id: 4, result: result('wörld 🙏 "a" [{') }))],
  ['answer', data(message({ id: '4', result: 'text alone' }))],
  ['answer', data({ id: null, result: result('no id'), error: null })],
  ['answer', data([null, message({ id: 4, error: { code: '5', message: 7 } })])],
  ['answer', `id: 9\n${data(message({ id: 4, result: { _meta: null } }))}`],
  ['answer', `event: result\n${data(message({ id: 4, error: 'broken' }))}`],
  ['nothing', data(message({ id: 5, result: result('another') }))],
  ['nothing', data(message({ method: 'notifications/message', params: { level: 'info', data: '"id"' } }))],
  ['nothing', data(message({ method: 'notifications/progress', params: { progress: 'x' } }))],
  ['nothing', data(message({ id: 1, method: 'ping' }))],
  ['nothing', data(message({ id: 'a', method: 'elicitation/create', params: 7 }))],
  ['nothing', data(message({ id: 4 }))],
  ['nothing', ': keep "alive'],
  ['nothing', 'id: 7\ndata: '],
  ['nothing', 'retry: 5'],
  ['nothing', 'event: endpoint\ndata: /messages'],
  ['nothing', 'data: {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"te'],
  ['nothing', 'data: [[[[{"id":4,"result":'],
  ['nothing', 'data: null'],
];

/** The messages that the client gets of a stream in pieces. */
function read(pieces: readonly Buffer[]): {
  messages: ReturnType<typeof readMessages>;
  isAnswered: boolean;
  size: number;
} {
  const trim = new JsonTrim(TRIM, true);
  const stream = new MessageStream(ASKED, JSON_BOUNDS, null);
  const text = pieces.map((piece) => stream.push(trim.trim(piece))).join('') + stream.end();
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  const messages = lines.map((line) => JSON.parse(line.slice(6)) as ReturnType<typeof readMessages>[number]);
  return { messages, isAnswered: stream.isAnswered, size: text.length };
}

it(
  `gives the client the first answer of a stream and no other, in ${STREAMS} streams`,
  () => {
    fc.assert(
      fc.property(eventStreams(EVENTS), ({ pieces, ended }) => {
        const bytes = Buffer.concat(pieces);
        const whole = read([bytes]);
        const inPieces = read(pieces);

        expect(inPieces.messages).toEqual(whole.messages);
        expect(whole.messages.filter(isAnswer)).toHaveLength(whole.isAnswered ? 1 : 0);
        expect(whole.messages.findIndex(isAnswer)).toBe(whole.isAnswered ? whole.messages.length - 1 : -1);
        if (ended.includes('answer')) expect(whole.isAnswered).toBe(true);
        for (const each of whole.messages) parseJSONRPCMessage(each);
        expect(whole.size).toBeLessThanOrEqual(2 * bytes.length + 500);
      }),
      { seed: FUZZ_SEED, numRuns: STREAMS },
    );
  },
  FUZZ_TIMEOUT_MS,
);

const TOOL = {
  name: 'lookup',
  title: 'Look up',
  inputSchema: {
    type: 'object',
    properties: { word: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/word' }] } },
    required: ['word'],
    $defs: { word: { $ref: '#/properties/word', allOf: [{ type: 'string' }] } },
  },
};
const RESULTS = [
  result('found'),
  {
    content: [
      { type: 'image', data: 'iVBO', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'a', text: 'b' } },
    ],
  },
  { content: [{ type: 'resource_link', uri: 'a', name: 'b' }], isError: true },
  { toolResult: { a: [1, 2] } },
];

it(
  `reads any JSON of a tool server, in ${STREAMS} bodies`,
  async () => {
    const documents = [
      ...RESULTS.map((each) => message({ id: 4, result: each })),
      [message({ id: 4, result: RESULTS[0] }), message({ method: 'ping', id: 1 })],
      message({ id: 4, error: { code: -32_000, message: 'Session not found' } }),
    ];
    await fc.assert(
      fc.asyncProperty(
        mutatedJson(documents),
        mutatedValue(RESULTS),
        mutatedValue([[TOOL, { ...TOOL, name: 'other' }, null]]),
        async ({ text, isWhole }, value, list) => {
          const trimmed = new JsonTrim(TRIM, false).trim(Buffer.from(text)).toString();
          if (isWhole) for (const each of readMessages(parseJson(trimmed).values, ASKED)) parseJSONRPCMessage(each);
          const { text: shown } = callResult(typeof value === 'object' && value !== null ? value : { content: value });
          expect(shown).not.toBe('');
          expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
          const { tools } = await usableTools(Array.isArray(list) ? list : [list]);
          for (const { definition } of tools) expect(modelSchema(definition.schema)).toMatchObject({ type: 'object' });
        },
      ),
      { seed: FUZZ_SEED, numRuns: STREAMS },
    );
  },
  FUZZ_TIMEOUT_MS,
);
