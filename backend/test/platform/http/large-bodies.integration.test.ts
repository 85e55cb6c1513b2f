import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { API_LIMITS, type ErrorBody, LIMITS } from '@tanya/contract';
import { LOGGER, type Logger } from '../../../src/platform/observability/logging.js';
import { waitUntil } from '../../harness/wait-until.js';
import { ask, errorIn, type PublicApiHarness, startPublicApiHarness } from '../../public-api/public-api-harness.js';

const MB = 1024 * 1024;
const COMPLETIONS = '/api/v1/chat/completions';

const deep = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

let harness: PublicApiHarness;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false, timings: { bodyGrace: 500, bodyMost: 5_000 } });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

/** Begins a request with a large body, and leaves it unfinished. */
async function stalled(headers: string): Promise<{ socket: Socket; received: () => string }> {
  const { port } = new URL(harness.url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(
    `POST ${headers}\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${3 * MB}\r\n\r\n{"a":"`,
  );
  return { socket, received: () => text };
}

const bodyOf = (received: string): unknown => JSON.parse(received.slice(received.indexOf('\r\n\r\n')));

describe('a body of the page', () => {
  it.each<[string, string, object]>([
    ['values', `{"a":[${'0,'.repeat(20_000)}0]}`, { limit: 20_000, unit: 'values' }],
    ['levels', deep(33), { limit: 32, unit: 'levels' }],
    ['bytes', `{"a":"${'x'.repeat(MB)}"}`, { limit: LIMITS.jsonBytes, unit: 'bytes' }],
  ])('with too many %s is refused before it is parsed, and names the bound', async (_what, raw, params) => {
    for (const [method, path] of [
      ['POST', '/api/login'],
      ['PATCH', '/api/chat/threads/1'],
    ] as const) {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await harness.client().send<ErrorBody>(method, path, { raw, headers });
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({ code: 'too_large', details: { params } });
    }
  });

  it('is counted without its compression', async () => {
    const raw = new Uint8Array(gzipSync(' '.repeat(200 * MB)));
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const answer = await harness.client().post<ErrorBody>('/api/login', undefined, { raw, headers });
    expect(answer.body).toMatchObject({ code: 'too_large', details: { params: { unit: 'bytes' } } });
    const whole = new Uint8Array(gzipSync(JSON.stringify({ username: 'nobody', password: 'no password' })));
    const read = await harness.client().post<ErrorBody>('/api/login', undefined, { raw: whole, headers });
    expect(read.body.code).toBe('invalid_credentials');
    const unknown = { 'Content-Type': 'application/json', 'Content-Encoding': 'constructor' };
    expect((await harness.client().post('/api/login', undefined, { raw: whole, headers: unknown })).status).toBe(415);
  });

  it('with long lists and many unknown fields is refused by its rules', async () => {
    const { client } = await harness.member();
    const names = Array.from({ length: 19_000 }, (_, index) => `tool_${index}`);
    const unknown = Object.fromEntries(names.map((name) => [name, 0]));
    const refused = [
      await client.patch<ErrorBody>('/api/chat/threads/1', { tools: names }),
      await client.patch<ErrorBody>('/api/chat/threads/1', { tools: names.map(() => 'same') }),
      await client.patch<ErrorBody>('/api/chat/threads/1', unknown),
      await client.patch<ErrorBody>('/api/chat/threads/1', { title: names }),
      await client.post<ErrorBody>('/api/login', { username: unknown, password: 'x' }),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'invalid'));
  });

  it('carries large attachments of a message, and nothing else that is large', async () => {
    const guest = await harness.guest();
    const send = (content: unknown) =>
      guest.post<ErrorBody>('/api/chat/message', { content: JSON.stringify(content), model: 'openai/gpt-4o-mini' });
    const text = Buffer.from('A line of a document.\n'.repeat(200_000)).toString('base64');
    expect((await send({ text: 'Read', fileUrl: `data:text/plain;base64,${text}`, fileName: 'a.txt' })).status).toBe(
      201,
    );
    const prompt = JSON.stringify(harness.upstream.callsOf().at(-1)!.body);
    expect(prompt).toContain('A line of a document.');
    expect((await send({ text: 'x'.repeat(2 * MB) })).body.code).toBe('invalid');
    const attachments = Array.from({ length: 300_000 }, () => ({}));
    expect((await send({ text: 'x', attachments })).body).toMatchObject({
      code: 'too_large',
      details: { params: { limit: 20_000, unit: 'values' } },
    });
    expect((await send({ text: 'x', name: 'y'.repeat(2 * MB) })).body.code).toBe('invalid');
  });

  it('with a short content beyond the bounds of a message is sent as plain text', async () => {
    const guest = await harness.guest();
    const content = `{"text":"a","b":${deep(40)}}`;
    const answer = await guest.post('/api/chat/message', { content, model: 'openai/gpt-4o-mini' });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(harness.upstream.callsOf().at(-1)!.body)).toContain(JSON.stringify(content).slice(1, -1));
  });
});

describe('a body of a program', () => {
  it.each<[string, string]>([
    ['200,000 values', `{"a":[${'0,'.repeat(200_000)}0]}`],
    ['64 levels', deep(65)],
    [`${API_LIMITS.jsonBytes.toLocaleString('en')} bytes`, `{"a":"${'x'.repeat(API_LIMITS.jsonBytes)}"}`],
  ])('of more than %s is refused in OpenAI’s shape', async (bound, raw) => {
    const { key } = await harness.caller();
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await harness.client().post(COMPLETIONS, undefined, { raw, headers });
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close']);
    const [limit, unit] = bound.split(' ');
    expect(errorIn(answer.body)).toMatchObject({ type: 'invalid_request_error', code: 'too_large' });
    expect(errorIn(answer.body).message).toContain(`${limit} ${unit}`);
  });

  it('reaches the provider unchanged, however large', async () => {
    const { key } = await harness.caller();
    const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0K'.repeat(800_000)}` } };
    const histories: object[][] = [
      [{ role: 'user', content: [{ type: 'text', text: 'Look' }, picture, picture] }],
      [{ role: 'user', content: `${'日本語の😀テキスト"\\\n'.repeat(200_000)}` }],
      Array.from({ length: 2_000 }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `${index} ${'é'.repeat(1_000)}`,
      })),
    ];
    for (const messages of histories) {
      const answer = await harness.post(key, { ...ask(''), messages });
      expect(answer.status).toBe(200);
      expect(harness.upstream.callsOf().at(-1)!.body['messages']).toEqual(messages);
    }
  });

  it('names the wrong entry of a long list', async () => {
    const { key } = await harness.caller();
    const messages: object[] = Array.from({ length: 900 }, () => ({ role: 'user', content: 'x' }));
    messages[777] = { role: 'robot', content: 'x' };
    const answer = await harness.post(key, { ...ask(''), messages });
    expect([answer.status, errorIn(answer.body).param]).toEqual([400, 'messages.777.role']);
    const many = Array.from({ length: API_LIMITS.messages + 1 }, () => ({ role: 'user', content: 'x' }));
    expect(errorIn((await harness.post(key, { ...ask(''), messages: many })).body).param).toBe('messages');
  });

  it('is refused before it is read without a valid key', async () => {
    const { socket, received } = await stalled(`${COMPLETIONS} HTTP/1.1\r\nAuthorization: Bearer none`);
    await waitUntil('the refusal of the key', () => received().includes('invalid_api_key'));
    socket.destroy();
  });
});

describe('a body that is no UTF-8', () => {
  it.each([1_000, 2 * MB])('is repaired, whatever its size (%d bytes)', async (size) => {
    const { key } = await harness.caller();
    const [head, tail] = JSON.stringify({ ...ask('#'), messages: [{ role: 'user', content: '#' }] }).split('#');
    const raw = new Uint8Array(
      Buffer.concat([Buffer.from(head!), Buffer.alloc(size, 'ab\xff', 'latin1'), Buffer.from(tail!)]),
    );
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await harness.client().post(COMPLETIONS, undefined, { raw, headers });
    expect(answer.status).toBe(200);
    const [message] = harness.upstream.callsOf().at(-1)!.body['messages'] as { content: string }[];
    expect(message!.content.startsWith('ab\ufffdab\ufffdab')).toBe(true);
  });
});

describe('a large body that does not arrive', () => {
  it('ends with 408, and its turn is free again (LIM-17)', async () => {
    const { key } = await harness.caller();
    const { socket, received } = await stalled(`${COMPLETIONS} HTTP/1.1\r\nAuthorization: Bearer ${key}`);
    await waitUntil('the refusal of the body', () => received().includes('\r\n\r\n{'));
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(received()).toMatch(/connection: close/i);
    expect(bodyOf(received())).toMatchObject({ error: { code: 'request_timeout' } });
    expect((await harness.post(key, ask('x'.repeat(2 * MB)))).status).toBe(200);
    socket.destroy();
  });
});

describe('large bodies at once', () => {
  it('are read one at a time for an account, and the next one gets 503', async () => {
    const slow = await startPublicApiHarness({ redis: false });
    try {
      const [one, other] = [await slow.caller(), await slow.caller()];
      const logged = jest.spyOn(slow.app.get<Logger>(LOGGER), 'error');
      const { port } = new URL(slow.url);
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      socket.write(
        `POST ${COMPLETIONS} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${one.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${3 * MB}\r\n\r\n{"a":"`,
      );
      const large = ask('x'.repeat(2 * MB));
      let refused = await slow.post(one.key, large);
      // The first request may not have arrived yet.
      while (refused.status === 200) refused = await slow.post(one.key, large);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(errorIn(refused.body)).toMatchObject({ type: 'server_error', code: 'server_busy' });
      expect(logged).not.toHaveBeenCalled();
      expect((await slow.post(other.key, large)).status).toBe(200);
      expect((await slow.post(one.key, ask('small'))).status).toBe(200);
      socket.destroy();
      await waitUntil('the turn of the account', async () => (await slow.post(one.key, large)).status === 200);
      // Neither the refusal nor the body that broke off is a failure of the server.
      expect(logged).not.toHaveBeenCalled();
      await slow.settle();
    } finally {
      await slow.close();
    }
  });
});
