import { randomUUID } from 'node:crypto';
import { LIMITS } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { refusalOf, SocketClient } from '../../harness/socket-client.js';

const EVENT = 2;

const TESTS_A_MEMBER = 8;

const EVENTS = ['generation:start', 'generation:regenerate', 'generation:stop', 'generation:resume'];

describe.each(ADAPTERS)('invalid input, %s', (_name, redis) => {
  let harness: ChatHarness;
  let member: MemberPage;
  let stranger: MemberPage;
  let foreignThread: number;
  let testsOfMember = 0;
  let before: object[];

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
    stranger = await harness.memberPage();
    const started = await stranger.page.start('theirs');
    await stranger.page.ended(started.generationId);
    foreignThread = started.threadId;
  });

  // A member serves some tests before its rate limit could matter: creating one costs more than most of them.
  beforeEach(async () => {
    if (testsOfMember++ % TESTS_A_MEMBER === 0) member = await harness.memberPage();
    else member = { ...member, page: await harness.page(member.client) };
    before = await rows();
  });

  afterEach(async () => {
    expect(await rows()).toEqual(before);
    await expectServing();
    await harness.settle();
  });

  afterAll(() => harness.close());

  /** Numbers of rows of the member. */
  const rows = (): Promise<object[]> =>
    harness.dataSource.query(
      `select (select count(*) from thread where user_id = $1) as threads, (select count(*) from message where user_id = $1) as messages,
              (select count(*) from generation where user_id = $1) as generations, (select count(*) from usage_record where user_id = $1) as usage`,
      [member.user.id],
    );

  const expectServing = async (): Promise<void> => {
    const page = await harness.page(member.client);
    const { generationId } = await page.start('hello');
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
    ['an empty message', { content: {} }, 'invalid'],
    ['no content', { content: undefined }, 'invalid'],
    ['content that is a list', { content: [] }, 'invalid'],
    ['unknown fields', { isAdmin: true }, 'invalid'],
    ['smuggled parameters (AZ-8)', { temperature: 1e9, messages: [] }, 'invalid'],
    ['a file of another site', { content: { text: 'x', fileUrl: 'https://example.com/x.pdf' } }, 'invalid'],
    ['a path traversal', { content: { text: 'x', imageData: '/api/files/../../etc/passwd' } }, 'invalid'],
    ['an unknown file', { content: { text: 'x', fileUrl: `/api/files/${randomUUID()}` } }, 'not_found'],
    ['an unknown model', { model: 'no/such' }, 'model_unavailable'],
    ['a model without a name', { model: '' }, 'invalid'],
    ['a model that is an object', { model: { $ne: '' } }, 'invalid'],
    ['a malformed id', { clientMessageId: 'x' }, 'invalid'],
    ['no id', { clientMessageId: undefined }, 'invalid'],
    ...[0, -1, 1.5, '1', '1e3', [1], { $ne: null }, true, 2 ** 53].map((threadId): [string, object, string] => [
      `thread ${JSON.stringify(threadId)} (AZ-7)`,
      { threadId },
      'invalid',
    ]),
    ['an unknown thread', { threadId: Number.MAX_SAFE_INTEGER }, 'not_found'],
    ['an edit of an unknown message', { editOf: 12 }, 'not_found'],
  ];

  it.each(bodies)(
    'of generation:start is refused with a typed error and not stored: %s',
    async (_what, fields, code) => {
      expect(refusalOf(await member.page.ask('generation:start', payload(fields))).code).toBe(code);
    },
  );

  it('with a prototype in it pollutes no object (PP-1)', async () => {
    const hostile = JSON.parse('{"generationId":"x","__proto__":{"isAdmin":true},"constructor":{}}') as object;
    expect(refusalOf(await member.page.ask('generation:stop', hostile)).code).toBe('invalid');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('that names another user’s thread is answered like an unknown one (AZ-1)', async () => {
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
    ['an unknown field', { content: 'x', role: 'system' }, 400],
    ['an unknown field inside the content', { content: '{"text":"x","role":"system"}' }, 400],
    ['a broken data URL', { content: '{"text":"x","imageData":"data:image/png;base64,AAAA"}' }, 415],
    ['a thread of text', { content: 'x', threadId: '1' }, 400],
    ['a thread of 1e3', { content: 'x', threadId: 1e3 }, 404],
    ['a thread beyond bigint', { content: 'x', threadId: 2 ** 60 }, 400],
    ['an unknown model', { content: 'x', model: 'no/such' }, 400],
  ];

  it.each(posts)(
    'of POST /api/chat/message is refused with a typed error and not stored: %s',
    async (_what, body, status) => {
      const answer = await member.client.post('/api/chat/message', body);
      expect([errorOf(answer).statusCode, answer.status]).toEqual([status, status]);
    },
  );

  it('in other formats than JSON is refused with a typed error (LIM-1)', async () => {
    const raw = (text: string, type = 'application/json') =>
      member.client.post('/api/chat/message', undefined, { raw: text, headers: { 'Content-Type': type } });
    expect(errorOf(await raw('{')).code).toBe('invalid');
    expect(errorOf(await raw('"just a string"')).code).toBe('invalid');
    expect(errorOf(await raw('['.repeat(10_000)))).toMatchObject({
      code: 'too_large',
      details: { params: { limit: 32, unit: 'levels' } },
    });
    expect(errorOf(await raw('content=x', 'application/x-www-form-urlencoded')).code).toBe('unsupported_type');
    expect(errorOf(await raw('{"content":"x"}', 'text/plain')).code).toBe('unsupported_type');
    expect(errorOf(await raw(`{"content":"${long(LIMITS.messageJsonBytes)}"}`)).code).toBe('too_large');
  });

  const THREAD_IDS = ['0', '-1', '1.5', '1e3', '0x10', '%00', "'%20OR%201=1", 'NaN', '999999999999999999', long(300)];

  it.each(THREAD_IDS)('in a path is refused: thread %s (AZ-7)', async (id) => {
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
    ['with a deep object', [JSON.parse(`${'{"a":'.repeat(31)}1${'}'.repeat(31)}`)]],
  ];

  it.each(PAYLOADS)('in events is acknowledged as invalid: %s (WS-3)', async (_what, args) => {
    for (const name of EVENTS) {
      expect(refusalOf(await member.page.ask(name, ...args))).toMatchObject({ code: 'invalid', statusCode: 400 });
    }
  });

  it('of stop and resume is refused with a typed error', async () => {
    for (const generationId of ['x', 7, null, { $ne: 1 }, '../../..', `${randomUUID()}0`]) {
      expect(refusalOf(await member.page.ask('generation:stop', { generationId })).code).toBe('invalid');
      expect(refusalOf(await member.page.ask('generation:resume', { generationId, afterSeq: 0 })).code).toBe('invalid');
    }
    for (const afterSeq of [-1, 1.5, '0', null, 2 ** 53, NaN]) {
      const generationId = randomUUID();
      expect(refusalOf(await member.page.ask('generation:resume', { generationId, afterSeq })).code).toBe('invalid');
    }
  });

  it('of unknown event names is refused and emits nothing (WS-5)', async () => {
    for (const name of ['generation:event', 'quota:changed', 'session:ended', 'join', '__proto__', 'constructor', '']) {
      expect(refusalOf(await member.page.ask(name, { room: `owner:user:${stranger.user.id}` })).code).toBe('invalid');
    }
    const page = await harness.page(stranger.client);
    const { generationId } = await page.start('private');
    await page.ended(generationId);
    expect(member.page.answers.size).toBe(0);
  });

  it('without an acknowledgement function does not break the socket (WS-5)', async () => {
    const socket = member.page.socket as unknown as { emit(...args: unknown[]): void };
    for (const name of [...EVENTS, 'no-such']) {
      for (const args of [[], [null], [{}], [[], 'ack'], [{ generationId: randomUUID() }, 7]])
        socket.emit(name, ...args);
    }
    expect(refusalOf(await member.page.tryStop(randomUUID())).code).toBe('not_found');
  });

  it('with an event name that is not a string closes at most its own socket (WS-3)', async () => {
    for (const name of [['a'], { toString: 1 }, 7, null]) {
      const hostile = await SocketClient.connect(member.client);
      // The library refuses to send such a name, so the packet is written one layer below.
      const wire = hostile.socket as unknown as { packet(packet: object): void };
      wire.packet({ type: EVENT, data: [name, {}], options: {} });
      // Packets are handled in order: either the next event is answered, or the packet closed the socket.
      const closed = new Promise((resolve) => hostile.socket.once('disconnect', resolve));
      await Promise.race([hostile.tryStop(randomUUID()), closed]);
      await hostile.close();
    }
  });

  it.each<[string, object, object]>([
    ['levels', JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as object, { limit: 32, unit: 'levels' }],
    ['values', { a: Array.from({ length: 20_000 }, () => 0) }, { limit: 20_000, unit: 'values' }],
    ['bytes', { a: long(LIMITS.socketEventBytes) }, { limit: LIMITS.socketEventBytes, unit: 'bytes' }],
  ])('with too many %s is refused in its ack, and the socket stays open (WS-3)', async (_what, sent, params) => {
    const page = await harness.page(member.client);
    for (const name of EVENTS) {
      const refusal = refusalOf(await page.ask(name, sent));
      expect(refusal).toMatchObject({ code: 'too_large', statusCode: 413, details: { params } });
    }
    expect(refusalOf(await page.tryStop(randomUUID())).code).toBe('not_found');
  });

  it.each(['websocket', 'polling'])(
    'as bytes is refused in its ack, and the socket stays open over %s (WS-3)',
    async (transport) => {
      const page = await SocketClient.connect(member.client, { transports: [transport] });
      const params = { limit: LIMITS.socketEventBytes, unit: 'bytes' };
      const large = [Buffer.alloc(LIMITS.socketEventBytes + 1)];
      const many = Array.from({ length: 10 }, () => Buffer.alloc(30_000));
      for (const files of [large, many]) {
        const refusal = refusalOf(await page.ask('generation:stop', { files }));
        expect(refusal).toMatchObject({ code: 'too_large', details: { params } });
      }
      expect(refusalOf(await page.ask('generation:stop', { files: [Buffer.alloc(9)] })).code).toBe('invalid');
      expect(refusalOf(await page.tryStop(randomUUID())).code).toBe('not_found');
      await page.close();
    },
  );

  it.each(['websocket', 'polling'])(
    'of many large events is refused by its bytes, and only a flood closes the socket, over %s (LIM-6)',
    async (transport) => {
      const { client } = await harness.memberPage();
      const page = await SocketClient.connect(client, { transports: [transport] });
      const send = (count: number) =>
        Promise.all(Array.from({ length: count }, () => page.ask('generation:stop', { a: long(190_000) })));
      const codes = (await send(40)).map((ack) => refusalOf(ack).code);
      expect(new Set(codes)).toEqual(new Set(['invalid', 'rate_limited']));
      expect(codes.filter((code) => code === 'invalid').length).toBeLessThan(20);
      const refused = refusalOf((await send(1))[0]!);
      expect(refused).toMatchObject({ code: 'rate_limited', statusCode: 429 });
      expect(refused.retryAfter).toBeGreaterThan(0);
      expect(refusalOf(await page.tryStop(randomUUID())).code).toBe('not_found');
      const closed = new Promise((resolve) => page.socket.once('disconnect', resolve));
      send(100).catch(() => undefined);
      await closed;
    },
  );

  it('above the frame limit closes its own socket alone (WS-3)', async () => {
    const other = await harness.page(member.client);
    const closed = new Promise((resolve) => member.page.socket.once('disconnect', resolve));
    const socket = member.page.socket as unknown as { emit(...args: unknown[]): void };
    socket.emit('generation:start', payload({ content: { text: long(LIMITS.socketFrameBytes) } }));
    await closed;
    expect(other.socket.connected).toBe(true);
  });

  it('in a flood is rate limited, and other users are served (LIM-6)', async () => {
    const { page } = await harness.memberPage();
    const acks = await Promise.all(Array.from({ length: 400 }, () => page.tryStop(randomUUID())));
    const codes = acks.map((ack) => refusalOf(ack).code);
    expect(new Set(codes)).toEqual(new Set(['not_found', 'rate_limited']));
    const other = await harness.page(stranger.client);
    expect(refusalOf(await other.tryStop(randomUUID())).code).toBe('not_found');
  });
});
