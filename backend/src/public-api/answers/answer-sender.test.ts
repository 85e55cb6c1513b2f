import { once } from 'node:events';
import { createServer, get, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { ChatCompletionChunk } from '@tanya/contract';
import type { Response } from 'express';
import type { WrittenAnswer } from '../../chat/generation/detached/written-answer.js';
import { AppError } from '../../platform/errors/app-error.js';
import { EventStream } from '../../platform/http/event-stream.js';
import { AnswerStream, setModelUsed } from './answer-sender.js';
import { CompletionEncoder } from '../completions/completion-encoder.js';

const HEAD = {
  generationId: '00000000-0000-4000-8000-000000000000',
  model: 'some/model',
  created: 0,
  names: new Map(),
};

const TOKENS = { promptTokens: 1, completionTokens: 2 };

const ANSWER: WrittenAnswer = { choices: [{ choice: 0, text: '', finishReason: 'stop' }], ...TOKENS };

/** More deltas than the socket buffers of the operating system hold. */
const DELTAS = 100_000;

let server: Server;

afterEach(() => server.close());

/** The lines that a client receives when it begins to read after the last write. */
async function readLate(
  write: (stream: AnswerStream) => void,
  includesUsage = false,
): Promise<{ lines: string[]; bufferedBytes: number }> {
  let response!: Response;
  server = createServer((_request, outgoing) => {
    response = outgoing as Response;
    write(new AnswerStream(response, new EventStream(response), new CompletionEncoder(HEAD, includesUsage), HEAD));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const [incoming] = (await once(request, 'response')) as [IncomingMessage];
  const bufferedBytes = response.writableLength;
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const lines = Buffer.concat(parts).toString().trimEnd().split('\n\n');
  return { lines: lines.map((line) => line.replace(/^data: /, '')), bufferedBytes };
}

const textOf = (lines: string[]): string =>
  lines
    .filter((line) => line.startsWith('{"id"'))
    .map((line) => (JSON.parse(line) as ChatCompletionChunk).choices[0]?.delta.content ?? '')
    .join('');

it('buffers no more than the text for a client that does not read, and delivers all of it', async () => {
  const { lines, bufferedBytes } = await readLate((stream) => {
    for (let index = 0; index < DELTAS; index += 1) stream.write({ type: 'text', choice: 0, text: `${index} ` });
    stream.end(ANSWER);
  }, true);
  const text = Array.from({ length: DELTAS }, (_, index) => `${index} `).join('');
  expect(textOf(lines)).toBe(text);
  expect(lines.length).toBeLessThan(DELTAS / 10);
  expect(bufferedBytes).toBeLessThan(2 * text.length);
  expect(lines.at(-1)).toBe('[DONE]');
});

it('ends an incomplete answer with an error event', async () => {
  const { lines } = await readLate((stream) => {
    for (let index = 0; index < DELTAS; index += 1) stream.write({ type: 'text', choice: 0, text: 'x' });
    stream.fail(new AppError('interrupted'));
  });
  expect(textOf(lines)).toBe('x'.repeat(DELTAS));
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ error: { code: 'interrupted' } });
});

it('sends reasoning under its name, joined while it waits, and its details', async () => {
  const details = [{ type: 'reasoning.encrypted', data: 'x' }];
  const { lines } = await readLate((stream) => {
    for (let index = 0; index < DELTAS; index += 1)
      stream.write({ type: 'reasoning', choice: 0, name: 'reasoning_content', text: 'x' });
    stream.write({ type: 'text', choice: 0, text: 'y' });
    stream.write({ type: 'reasoning', choice: 0, name: 'reasoning', text: 'z' });
    stream.write({ type: 'reasoning-details', choice: 0, details });
    stream.end(ANSWER);
  });
  const deltas = lines.slice(0, -1).map((line) => (JSON.parse(line) as ChatCompletionChunk).choices[0]!.delta);
  expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe('x'.repeat(DELTAS));
  expect(deltas.length).toBeLessThan(DELTAS / 10);
  expect(deltas.slice(-4)).toEqual([{ content: 'y' }, { reasoning: 'z' }, { reasoning_details: details }, {}]);
});

it('begins each call with its id and name, and joins the pieces of one call that wait', async () => {
  const { lines } = await readLate((stream) => {
    stream.write({ type: 'client-call', choice: 0, index: 0, start: { id: 'a', name: 'add' }, json: '' });
    stream.write({ type: 'client-call', choice: 0, index: 0, json: '{"x"' });
    for (let index = 0; index < DELTAS; index += 1)
      stream.write({ type: 'client-call', choice: 0, index: 0, json: 'x' });
    stream.write({ type: 'client-call', choice: 0, index: 1, start: { id: 'b', name: 'sum' }, json: '{}' });
    stream.end({ choices: [{ choice: 0, text: '', finishReason: 'tool-calls' }], ...TOKENS });
  });
  const chunks = lines.slice(0, -1).map((line) => (JSON.parse(line) as ChatCompletionChunk).choices[0]!);
  const pieces = chunks.flatMap(({ delta }) => delta.tool_calls ?? []);
  expect(pieces[0]).toEqual({ index: 0, id: 'a', type: 'function', function: { name: 'add', arguments: '' } });
  expect(pieces.slice(-2)).toEqual([
    { index: 1, id: 'b', type: 'function', function: { name: 'sum', arguments: '' } },
    { index: 1, function: { arguments: '{}' } },
  ]);
  const first = pieces.filter(({ index }) => index === 0).map((piece) => piece.function.arguments);
  expect(first.join('')).toBe(`{"x"${'x'.repeat(DELTAS)}`);
  expect(pieces.length).toBeLessThan(DELTAS / 10);
  expect(chunks.at(-1)!.finish_reason).toBe('tool_calls');
});

it('keeps what a model wrote with a call whose pieces wait', async () => {
  const signature = { google: { thought_signature: 'x' } };
  const { lines } = await readLate((stream) => {
    for (let index = 0; index < DELTAS; index += 1) stream.write({ type: 'text', choice: 0, text: 'x' });
    stream.write({ type: 'client-call', choice: 0, index: 0, start: { id: 'a', name: 'add' }, json: '{' });
    stream.write({ type: 'client-call', choice: 0, index: 0, json: '}', extraContent: signature });
    stream.end({ choices: [{ choice: 0, text: '', finishReason: 'tool-calls' }], ...TOKENS });
  });
  const chunks = lines.slice(0, -1).map((line) => (JSON.parse(line) as ChatCompletionChunk).choices[0]!);
  expect(chunks.flatMap(({ delta }) => delta.tool_calls ?? [])).toEqual([
    { index: 0, id: 'a', type: 'function', function: { name: 'add', arguments: '' }, extra_content: signature },
    { index: 0, function: { arguments: '{}' } },
  ]);
});

it.each([
  ['openai/gpt-5', 'openai/gpt-5'],
  ['通义/qwen é', '%E9%80%9A%E4%B9%89/qwen %C3%A9'],
])('names the model %s in a header as %s', (model, header) => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  setModelUsed(response, model);
  expect(response.getHeader('x-model-used')).toBe(header);
});
