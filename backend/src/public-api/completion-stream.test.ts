import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatCompletionChunk } from '@tanya/contract';
import type { Response } from 'express';
import { AppError } from '../platform/errors/app-error.js';
import { CompletionStream } from './completion-stream.js';

const HEAD = { generationId: '00000000-0000-4000-8000-000000000000', model: 'some/model', created: 0 };

const ANSWER = { text: '', finishReason: 'stop', promptTokens: 1, completionTokens: 2, created: 0 } as const;

/** Far more than what the machine itself keeps for somebody who does not read. */
const PIECES = 100_000;

let server: Server;

afterEach(() => server.close());

/** What somebody gets who begins to read once everything is written. */
async function readLate(write: (stream: CompletionStream) => void): Promise<{ lines: string[]; waiting: number }> {
  let response!: Response;
  server = createServer((_request, answering) => {
    response = answering as Response;
    write(new CompletionStream(response, HEAD));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const [incoming] = (await once(request, 'response')) as [IncomingMessage];
  const waiting = response.writableLength;
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const lines = Buffer.concat(parts).toString().trimEnd().split('\n\n');
  return { lines: lines.map((line) => line.replace(/^data: /, '')), waiting };
}

const textOf = (lines: string[]): string =>
  lines
    .filter((line) => line.startsWith('{"id"'))
    .map((line) => (JSON.parse(line) as ChatCompletionChunk).choices[0]?.delta.content ?? '')
    .join('');

it('keeps no more for somebody who does not read than the text itself, and gives all of it', async () => {
  const { lines, waiting } = await readLate((stream) => {
    for (let index = 0; index < PIECES; index += 1) stream.write(`${index} `);
    stream.end(ANSWER, true);
  });
  const text = Array.from({ length: PIECES }, (_, index) => `${index} `).join('');
  expect(textOf(lines)).toBe(text);
  expect(lines.length).toBeLessThan(PIECES / 10);
  expect(waiting).toBeLessThan(2 * text.length);
  expect(lines.at(-1)).toBe('[DONE]');
});

it('says at the end of what was written that it is not all', async () => {
  const { lines } = await readLate((stream) => {
    for (let index = 0; index < PIECES; index += 1) stream.write('x');
    stream.fail(new AppError('interrupted'));
  });
  expect(textOf(lines)).toBe('x'.repeat(PIECES));
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ error: { code: 'interrupted' } });
});
