import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { LIMITS, type SendMessageResponse } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { refusalOf, SocketClient } from '../harness/socket-client.js';

/** `PacketType.EVENT` of Socket.IO. */
const EVENT = 2;

const EVENTS = ['generation:start', 'generation:regenerate', 'generation:stop', 'generation:resume'];

describe.each(ADAPTERS)('bad input, %s', (_name, redis) => {
  let harness: ChatHarness;
  let member: MemberPage;
  let stranger: MemberPage;
  let foreignThread: number;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
    stranger = await harness.memberPage();
    const started = await stranger.page.start('theirs');
    await stranger.page.ended(started.generationId);
    foreignThread = started.threadId;
  });

  beforeEach(async () => {
    member = await harness.memberPage();
  });

  afterEach(async () => {
    expect(await rows()).toEqual(NOTHING);
    await stillWorks();
    await harness.settle();
  });

  afterAll(() => harness.close());

  const NOTHING = { threads: 0, messages: 0, generations: 0, usage: 0 };

  const rows = async (): Promise<object> => {
    const [counts] = await harness.dataSource.query<object[]>(
      `select (select count(*) from thread where user_id = $1) as threads, (select count(*) from message where user_id = $1) as messages,
              (select count(*) from generation where user_id = $1) as generations, (select count(*) from usage_record where user_id = $1) as usage`,
      [member.user.id],
    );
    return counts!;
  };

  const stillWorks = async (): Promise<void> => {
    const page = await harness.page(member.client);
    const { generationId } = await page.start('still there?');
    expect((await page.ended(generationId)).message.status).toBe('complete');
  };

  const payload = (fields: object): object => ({
    clientMessageId: randomUUID(),
    threadId: null,
    model: 'openai/gpt-4o-mini',
    content: { text: 'hello' },
    ...fields,
  });

  const long = (length: number): string => 'x'.repeat(length);

  const bodies: [string, object, string][] = [
    ['an empty text', { content: { text: '' } }, 'invalid'],
    ['blanks alone', { content: { text: ' \n\t ' } }, 'invalid'],
    ['a text over the limit', { content: { text: long(LIMITS.messageText + 1) } }, 'invalid'],
    ['a NUL', { content: { text: 'a\0b' } }, 'invalid'],
    ['half a surrogate pair', { content: { text: 'a\ud800b' } }, 'invalid'],
    ['a text that is a number', { content: { text: 7 } }, 'invalid'],
    ['a text that is a list', { content: { text: ['a'] } }, 'invalid'],
    ['a message of nothing', { content: {} }, 'invalid'],
    ['no content', { content: undefined }, 'invalid'],
    ['content that is a list', { content: [] }, 'invalid'],
    ['fields that nobody knows', { isAdmin: true }, 'invalid'],
    ['smuggled parameters (AZ-8)', { temperature: 1e9, messages: [] }, 'invalid'],
    ['a file of the web', { content: { text: 'x', fileUrl: 'https://example.com/x.pdf' } }, 'invalid'],
    ['a path out of here', { content: { text: 'x', imageData: '/api/files/../../etc/passwd' } }, 'invalid'],
    ['a file that is not there', { content: { text: 'x', fileUrl: `/api/files/${randomUUID()}` } }, 'not_found'],
    ['an unknown model', { model: 'no/such' }, 'model_unavailable'],
    ['a model without a name', { model: '' }, 'invalid'],
    ['a model that is an object', { model: { $ne: '' } }, 'invalid'],
    ['an id that is none', { clientMessageId: 'x' }, 'invalid'],
    ['no id', { clientMessageId: undefined }, 'invalid'],
    ...[0, -1, 1.5, '1', '1e3', [1], { $ne: null }, true, 2 ** 53].map((threadId): [string, object, string] => [
      `thread ${JSON.stringify(threadId)} (AZ-7)`,
      { threadId },
      'invalid',
    ]),
    ['a thread beyond all', { threadId: Number.MAX_SAFE_INTEGER }, 'not_found'],
    ['an edit of nothing', { editOf: 12 }, 'not_found'],
  ];

  it.each(bodies)('of generation:start: %s is typed and stored nowhere', async (_what, fields, code) => {
    expect(refusalOf(await member.page.ask('generation:start', payload(fields))).code).toBe(code);
  });

  it('with a prototype in it pollutes nothing (PP-1)', async () => {
    const hostile = JSON.parse('{"generationId":"x","__proto__":{"isAdmin":true},"constructor":{}}') as object;
    expect(refusalOf(await member.page.ask('generation:stop', hostile)).code).toBe('invalid');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('naming somebody else’s thread is refused as if it were not there (AZ-1)', async () => {
    const ack = await member.page.ask('generation:start', payload({ threadId: foreignThread }));
    expect(refusalOf(ack)).toMatchObject({ code: 'not_found', statusCode: 404 });
    const rest = await member.client.post('/api/chat/message', { content: 'x', threadId: foreignThread });
    expect(errorOf(rest)).toMatchObject({ code: 'not_found', statusCode: 404 });
    expect((await member.client.get(`/api/chat/threads/${foreignThread}/messages`)).status).toBe(404);
    expect((await member.client.delete(`/api/chat/threads/${foreignThread}`)).status).toBe(404);
  });

  const posts: [string, unknown, number][] = [
    ['nothing', undefined, 400],
    ['null', null, 400],
    ['a list', [], 400],
    ['an empty content', { content: '' }, 400],
    ['an empty message', { content: '{"text":""}' }, 400],
    ['a message of null', { content: '{"text":null}' }, 400],
    ['a text over the limit', { content: JSON.stringify({ text: long(LIMITS.messageText + 1) }) }, 400],
    ['an escaped NUL', { content: String.raw`{"text":"a\u0000b"}` }, 400],
    ['an escaped half of a pair', { content: String.raw`{"text":"a\ud800b"}` }, 400],
    ['a field that nobody knows', { content: 'x', role: 'system' }, 400],
    ['a hidden field that nobody knows', { content: '{"text":"x","role":"system"}' }, 400],
    ['a broken data URL', { content: '{"text":"x","imageData":"data:image/png;base64,AAAA"}' }, 415],
    ['a thread of text', { content: 'x', threadId: '1' }, 400],
    ['a thread of 1e3', { content: 'x', threadId: 1e3 }, 404],
    ['a thread beyond bigint', { content: 'x', threadId: 2 ** 60 }, 400],
    ['an unknown model', { content: 'x', model: 'no/such' }, 400],
  ];

  it.each(posts)('of POST /api/chat/message: %s is typed and stored nowhere', async (_what, body, status) => {
    const answer = await member.client.post('/api/chat/message', body);
    expect([errorOf(answer).statusCode, answer.status]).toEqual([status, status]);
  });

  it('in other forms than JSON is typed as well (LIM-1)', async () => {
    const raw = (text: string, type = 'application/json') =>
      member.client.post('/api/chat/message', undefined, { raw: text, headers: { 'Content-Type': type } });
    expect(errorOf(await raw('{')).code).toBe('invalid');
    expect(errorOf(await raw('"just a string"')).code).toBe('invalid');
    expect(errorOf(await raw('['.repeat(10_000))).code).toBe('invalid');
    expect(errorOf(await raw('content=x', 'application/x-www-form-urlencoded')).code).toBe('unsupported_type');
    expect(errorOf(await raw('{"content":"x"}', 'text/plain')).code).toBe('unsupported_type');
    expect(errorOf(await raw(`{"content":"${long(LIMITS.messageJsonBytes)}"}`)).code).toBe('too_large');
  });

  const THREAD_IDS = ['0', '-1', '1.5', '1e3', '0x10', '%00', "'%20OR%201=1", 'NaN', '999999999999999999', long(300)];

  it.each(THREAD_IDS)('of a path: thread %s is not found (AZ-7)', async (id) => {
    for (const [method, path] of [
      ['GET', 'messages'],
      ['GET', 'export'],
    ]) {
      const answer = await member.client.send(method!, `/api/chat/threads/${id}/${path}`);
      expect([400, 404]).toContain(errorOf(answer).statusCode);
    }
    expect([400, 404]).toContain((await member.client.patch(`/api/chat/threads/${id}`, { title: 'x' })).status);
    expect([400, 404]).toContain((await member.client.delete(`/api/chat/threads/${id}`)).status);
  });

  const PAYLOADS: [string, unknown[]][] = [
    ['without a payload', []],
    ['with null', [null]],
    ['with a text', ['x']],
    ['with a number', [7]],
    ['with a list', [[1, 2]]],
    ['with an empty object', [{}]],
    ['with too much', [{}, {}, {}]],
    ['with bytes', [Buffer.from('x')]],
    ['with a deep object', [JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)]],
  ];

  it.each(PAYLOADS)('of events: each one %s is acknowledged as invalid (WS-3)', async (_what, args) => {
    for (const name of EVENTS) {
      expect(refusalOf(await member.page.ask(name, ...args))).toMatchObject({ code: 'invalid', statusCode: 400 });
    }
  });

  it('of stop and resume is typed', async () => {
    for (const generationId of ['x', 7, null, { $ne: 1 }, '../../..', `${randomUUID()}0`]) {
      expect(refusalOf(await member.page.ask('generation:stop', { generationId })).code).toBe('invalid');
      expect(refusalOf(await member.page.ask('generation:resume', { generationId, afterSeq: 0 })).code).toBe('invalid');
    }
    for (const afterSeq of [-1, 1.5, '0', null, 2 ** 53, NaN]) {
      const generationId = randomUUID();
      expect(refusalOf(await member.page.ask('generation:resume', { generationId, afterSeq })).code).toBe('invalid');
    }
  });

  it('of events that clients don’t have is refused and changes nothing (WS-5)', async () => {
    for (const name of ['generation:event', 'quota:changed', 'session:ended', 'join', '__proto__', 'constructor', '']) {
      expect(refusalOf(await member.page.ask(name, { room: `owner:user:${stranger.user.id}` })).code).toBe('invalid');
    }
    const page = await harness.page(stranger.client);
    const { generationId } = await page.start('private');
    await page.ended(generationId);
    expect(member.page.answers.size).toBe(0);
  });

  it('without an ack, or with one that is no function, ends nothing (WS-5)', async () => {
    const socket = member.page.socket as unknown as { emit(...args: unknown[]): void };
    for (const name of [...EVENTS, 'no-such']) {
      for (const args of [[], [null], [{}], [[], 'ack'], [{ generationId: randomUUID() }, 7]])
        socket.emit(name, ...args);
    }
    expect(refusalOf(await member.page.tryStop(randomUUID())).code).toBe('not_found');
  });

  it('with names that are no names ends its own socket at most (WS-3)', async () => {
    for (const name of [['a'], { toString: 1 }, 7, null]) {
      const hostile = await SocketClient.connect(member.client);
      // The library would not send it; this is one layer below.
      const wire = hostile.socket as unknown as { packet(packet: object): void };
      wire.packet({ type: EVENT, data: [name, {}], options: {} });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await hostile.close();
    }
  });

  it('larger than a frame may be closes that socket alone (WS-3)', async () => {
    const other = await harness.page(member.client);
    const closed = new Promise((resolve) => member.page.socket.once('disconnect', resolve));
    const socket = member.page.socket as unknown as { emit(...args: unknown[]): void };
    socket.emit('generation:start', payload({ content: { text: long(LIMITS.socketMessageBytes) } }));
    await closed;
    expect(other.socket.connected).toBe(true);
  });

  it('in a flood is refused in time, and others are served (LIM-6)', async () => {
    const acks = await Promise.all(Array.from({ length: 400 }, () => member.page.tryStop(randomUUID())));
    const codes = acks.map((ack) => refusalOf(ack).code);
    expect(new Set(codes)).toEqual(new Set(['not_found', 'rate_limited']));
    const other = await harness.page(stranger.client);
    expect(refusalOf(await other.tryStop(randomUUID())).code).toBe('not_found');
    await new Promise((resolve) => setTimeout(resolve, 4_100));
  });
});

describe('the handshake', () => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: false });
  });

  afterAll(() => harness.close());

  const ORIGINS = ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'http://127.0.0.1', 'file://', ''];

  const attempt = (browser: HttpClient, transport: 'websocket' | 'polling', origin: string) =>
    SocketClient.connect(browser, { transports: [transport], extraHeaders: { Origin: origin } });

  /** What an upgrade without a session is answered, when it is refused. */
  const upgrade = async (origin: string): Promise<[number | undefined, string]> => {
    const headers = {
      ...{ Connection: 'Upgrade', Upgrade: 'websocket', Origin: origin },
      ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': randomBytes(16).toString('base64') },
    };
    const asked = request(`${harness.url}/socket.io/?EIO=4&transport=websocket`, { headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return [answer.statusCode, await text(answer)];
  };

  it.each(ORIGINS)('from the foreign origin "%s" is refused on both transports (WS-1)', async (origin) => {
    const { client } = await harness.member();
    for (const transport of ['websocket', 'polling'] as const) {
      await expect(attempt(client, transport, origin)).rejects.toThrow(/error/);
    }
    const polling = await client.get('/socket.io/?EIO=4&transport=polling', { headers: { Origin: origin } });
    expect([polling.status, polling.body]).toEqual([403, { code: 4, message: 'foreign_origin' }]);
    expect(polling.headers.get('access-control-allow-origin')).toBeNull();
    expect(await upgrade(origin)).toEqual([403, polling.text]);
  });

  it('from the page’s own origin, or from no browser, works on both transports', async () => {
    const { client } = await harness.member();
    for (const transport of ['websocket', 'polling'] as const) {
      const page = await attempt(client, transport, harness.url);
      const { generationId } = await page.start(`over ${transport}`);
      expect((await page.ended(generationId)).message.status).toBe('complete');
      await page.close();
    }
  });

  it('without cookies makes a guest, whose next call is the same guest’s', async () => {
    const nobody = harness.client();
    const page = await SocketClient.connect(nobody);
    const { generationId, quota } = await page.start('who am I?');
    expect(quota.max).toBe(3);
    await page.ended(generationId);
    await page.close();
  });

  it('takes no more sockets of one owner than people have tabs', async () => {
    const { client } = await harness.member();
    const pages = await Promise.all(Array.from({ length: 50 }, () => SocketClient.connect(client)));
    await expect(SocketClient.connect(client)).rejects.toMatchObject({ data: { code: 'rate_limited' } });
    await Promise.all(pages.map((page) => page.close()));
  });

  it('still answers a REST send of a browser whose sockets are refused', async () => {
    const { client } = await harness.member();
    await expect(attempt(client, 'websocket', 'null')).rejects.toThrow();
    const answer = await client.post<SendMessageResponse>('/api/chat/message', { content: 'plain' });
    expect(answer.status).toBe(201);
  });
});
