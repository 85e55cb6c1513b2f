import { randomUUID } from 'node:crypto';
import type { CreatedApiKey, GenerationStarted, Message, SendMessageResponse, Thread } from '@tanya/contract';
import { HOSTILE_IDS } from '../fuzz/hostile-ids.js';
import { sendRaw } from '../fuzz/raw-client.js';
import type { Answer, HttpClient } from '../harness/http-client.js';
import { ROUTES } from './routes-table.js';
import { actors, harness } from './security-harness.js';
import { dataOf, SocketClient } from '../harness/socket-client.js';
import { PASSWORD } from '../harness/test-app.js';

describe('AZ-7: a malformed id', () => {
  const addressed = Object.entries(ROUTES).filter(([route]) => route.includes(':id'));

  it.each(addressed)('%s is not found', async (route, { body }) => {
    const [method = '', path = ''] = route.split(' ');
    const client = path.startsWith('/api/admin') ? actors.admin : actors.owner;
    const input = JSON.stringify(body?.({ model: { id: 0, modelId: 'x' } } as never) ?? {});
    const isPublic = path.startsWith('/api/v1/');
    const key = isPublic ? await client.post<CreatedApiKey>('/api/user/keys', { name: 'AZ-7' }) : null;
    const headers = {
      ...(key === null ? { cookie: client.cookieHeader } : { 'x-api-key': key.body.key }),
      'x-forwarded-for': client.address,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    };
    const before = await harness.fingerprint();
    for (const id of HOSTILE_IDS) {
      const sent = method === 'GET' ? null : Buffer.from(input);
      const written = /%[0-9A-F]/i.test(id) ? id : encodeURIComponent(id);
      const answer = await sendRaw(harness.url, { method, path: path.replace(':id', written), headers, body: sent });
      expect([id.slice(0, 30), [400, 404].includes(answer.status)]).toEqual([id.slice(0, 30), true]);
    }
    expect(await harness.fingerprint()).toEqual(before);
  });
});

const TEXTS = {
  'a NUL': 'a\u0000b',
  'a lone surrogate': 'a\ud800b',
  'a direction override': '\u202egnp.exe',
  'invisible characters': '\u200b\u2060\ufeff',
  emoji: '💥 👩‍👩‍👧‍👦',
  'stacked accents': 'e' + '\u0301'.repeat(10_000),
  'CRLF lines': 'a\r\nb\r\n',
  blanks: ' \t\n ',
  SQL: `'; drop table "user"; --`,
  'a placeholder': '${APP_SECRET} {{config}} %s %n',
};

/** Every field that stores text of a user. */
const FIELDS: Record<string, (text: string) => Promise<Answer<unknown>>> = {
  'a message': (text) => actors.owner.post('/api/chat/message', { content: text }),
  'a message in JSON': (text) =>
    actors.owner.post('/api/chat/message', { content: JSON.stringify({ text: `x${text}`, fileName: text }) }),
  'a title': async (text) => {
    const { threadId } = await harness.belongings(actors.premium);
    return actors.premium.patch(`/api/chat/threads/${threadId}`, { title: text });
  },
  'a search': (text) =>
    actors.owner.get(`/api/chat/threads?query=${encodeURIComponent(text.toWellFormed().slice(0, 900))}`),
  'a user name': (text) => harness.client().post('/api/register', { username: text, password: PASSWORD }),
  'a full name': (text) =>
    actors.admin.post('/api/admin/users', { username: randomUUID(), password: PASSWORD, fullName: text }),
  'a password': (text) => harness.client().post('/api/register', { username: randomUUID(), password: text }),
  'a model': (text) => actors.admin.post('/api/admin/models', { modelId: `m/${text}`, name: text, provider: text }),
  'a setting': (text) =>
    actors.admin.patch('/api/admin/general-settings', { systemPrompt: text, welcomeMessage: text }),
  'a description of a picture': (text) => actors.premium.post('/api/generate-image', { prompt: text }),
  'a file name': (text) => {
    const form = new FormData();
    form.set('file', new Blob(['a note'], { type: 'text/plain' }), `${text}.txt`);
    return actors.other.send('POST', '/api/files', { raw: form });
  },
  'a completion': (text) => actors.key.post('/api/v1/chat', { messages: [{ role: 'user', content: `x${text}` }] }),
};

describe('TX-1: a text of any kind', () => {
  const cases = Object.keys(FIELDS).flatMap((field) =>
    Object.keys(TEXTS).map((kind): [string, string] => [field, kind]),
  );

  it.each(cases)('as %s with %s is accepted or refused, never a server error', async (field, kind) => {
    const answer = await FIELDS[field]!(TEXTS[kind as keyof typeof TEXTS]);
    expect([answer.status, answer.status >= 500 ? answer.text : '']).toEqual([answer.status, '']);
  });

  it('over a socket is stored unchanged or refused', async () => {
    const page = await SocketClient.connect(actors.other);
    const ask = (text: string) =>
      page.ask<{ threadId: number }>('generation:start', {
        clientMessageId: randomUUID(),
        threadId: null,
        model: 'openai/gpt-4o-mini',
        content: { text },
      });
    for (const text of Object.values(TEXTS)) {
      const ack = await ask(text);
      if (ack.ok) {
        const { body } = await actors.other.get<Message[]>(`/api/chat/threads/${ack.data.threadId}/messages`);
        expect(body[0]?.content).toBe(text);
      } else expect(ack.error.code).toBe('invalid');
    }
    expect(dataOf(await ask('💥'.repeat(100))).threadId).toBeGreaterThan(0);
    await page.close();
  });

  it('as a title is one line', async () => {
    const { threadId } = await harness.belongings(actors.owner);
    const title = '\n one\r\ntwo\u2028three  four\n';
    const renamed = await actors.owner.patch<Thread>(`/api/chat/threads/${threadId}`, { title });
    expect([renamed.status, renamed.body.title]).toEqual([200, 'one two three  four']);
  });

  it('TX-2: gives a title that is cut between characters', async () => {
    await actors.other.post('/api/chat/message', { content: '👩🏽‍🚀💥'.repeat(50) });
    const { body } = await actors.other.get<Thread[]>('/api/chat/threads');
    expect(body[0]?.title.isWellFormed()).toBe(true);
  });
});

const SMUGGLED = {
  isAdmin: true,
  isPremium: true,
  role: 'admin',
  roles: ['admin'],
  is_admin: true,
  id: 1,
  userId: 1,
  messageCount: -1_000,
  quotaUsed: 0,
  passwordHash: 'x',
  sessionEpoch: 0,
  createdAt: '2020-01-01',
  status: 'complete',
  owner: 'user:1',
};

describe('MA-1, MA-2: a field that clients may not set', () => {
  const targets: [string, (fields: object) => Promise<Answer<unknown>>][] = [
    [
      'registration',
      (f) => harness.client().post('/api/register', { username: randomUUID(), password: PASSWORD, ...f }),
    ],
    ['login', (f) => harness.client().post('/api/login', { username: 'x', password: PASSWORD, ...f })],
    [
      'a new password',
      (f) => actors.owner.post('/api/user/password', { currentPassword: PASSWORD, newPassword: PASSWORD, ...f }),
    ],
    ['a send', (f) => actors.owner.post('/api/chat/message', { content: 'x', ...f })],
    [
      'a send’s content',
      (f) => actors.owner.post('/api/chat/message', { content: JSON.stringify({ text: 'x', ...f }) }),
    ],
    ['a picture', (f) => actors.owner.post('/api/generate-image', { prompt: 'x', ...f })],
    ['an admin’s model', (f) => actors.admin.post('/api/admin/models', { modelId: `x/${randomUUID()}`, ...f })],
    ['the settings', (f) => actors.admin.patch('/api/admin/general-settings', { siteTitle: 'x', ...f })],
  ];

  it.each(targets)('is refused in %s', async (name, send) => {
    const before = await harness.fingerprint();
    for (const [field, value] of Object.entries(SMUGGLED)) {
      // Models have this field; what is read of the settings has the other one, which a change ignores.
      if (name === 'an admin’s model' && field === 'isPremium') continue;
      if (name === 'the settings' && field === 'id') continue;
      expect([field, (await send({ [field]: value })).status]).toEqual([field, 400]);
    }
    expect(await harness.fingerprint()).toEqual(before);
  });

  it('is refused in a thread', async () => {
    const { threadId } = await harness.belongings(actors.owner);
    const before = await harness.fingerprint();
    for (const [field, value] of Object.entries({ ...SMUGGLED, threadId: 1, modelId: 'x', expiresAt: null })) {
      const answer = await actors.owner.patch(`/api/chat/threads/${threadId}`, { [field]: value });
      expect([field, answer.status]).toEqual([field, 400]);
    }
    expect(await harness.fingerprint()).toEqual(before);
  });

  it('is ignored beside a file and in a query', async () => {
    const form = new FormData();
    for (const field of [...Object.keys(SMUGGLED), '__proto__', 'a[__proto__][isAdmin]'].slice(0, 8))
      form.append(field, 'true');
    form.set('file', new Blob(['a note'], { type: 'text/plain' }), 'note.txt');
    const answer = await actors.owner.send('POST', '/api/files?isAdmin=true&owner=user:1', { raw: form });
    expect(answer.status).toBe(201);
    expect(await roleOf(actors.owner)).toMatchObject({ isAdmin: false, isPremium: false });
  });
});

describe('PP-2: a value of another type', () => {
  const WRONG: unknown[] = [
    { $ne: '' },
    { gt: '' },
    ['a'],
    true,
    7,
    null,
    { length: 10 },
    { constructor: { prototype: {} } },
  ];
  const targets: [string, (value: unknown) => Promise<Answer<unknown>>][] = [
    ['a user name', (username) => harness.client().post('/api/login', { username, password: PASSWORD })],
    ['a password', (password) => harness.client().post('/api/login', { username: 'admin', password })],
    [
      'an email',
      (email) => harness.client().post('/api/register', { username: randomUUID(), password: PASSWORD, email }),
    ],
    ['a message', (content) => actors.owner.post('/api/chat/message', { content })],
    [
      'a message in JSON',
      (text) => actors.owner.post('/api/chat/message', { content: JSON.stringify({ text, fileName: 'x' }) }),
    ],
    [
      'an attachment',
      (audioData) =>
        actors.owner.post('/api/chat/message', { content: JSON.stringify({ text: 'x', audioData: audioData ?? 7 }) }),
    ],
    ['a model', (model) => actors.owner.post('/api/chat/message', { content: 'x', model: model ?? 7 })],
    ['a description', (prompt) => actors.owner.post('/api/generate-image', { prompt })],
  ];

  it.each(targets)('is refused as %s', async (_, send) => {
    for (const value of WRONG) expect([value, (await send(value)).status]).toEqual([value, 400]);
  });
});

describe('PP-2: null', () => {
  const NOTHING = {
    imageData: null,
    audioData: null,
    fileUrl: null,
    fileName: null,
    fileType: null,
    fileSize: null,
    hasCode: null,
  };
  const ask = (fields: object) => ({
    clientMessageId: randomUUID(),
    threadId: null,
    model: 'openai/gpt-4o-mini',
    content: { text: 'Hello' },
    ...fields,
  });

  it.each(Object.keys(NOTHING))('in %s of a message equals its absence', async (field) => {
    const content = { text: 'Hello', [field]: null };
    const answer = await actors.owner.post<SendMessageResponse>('/api/chat/message', {
      content: JSON.stringify(content),
    });
    expect([answer.status, answer.body.userMessage?.content]).toEqual([201, 'Hello']);
    const page = await SocketClient.connect(actors.owner);
    const { userMessage } = dataOf(await page.ask<GenerationStarted>('generation:start', ask({ content })));
    expect(userMessage.content).toBe('Hello');
    await page.close();
  });

  it('does not change the identity of a repeated send', async () => {
    const page = await SocketClient.connect(actors.owner);
    const first = ask({});
    const [one, again] = [
      dataOf(await page.ask<GenerationStarted>('generation:start', first)),
      dataOf(
        await page.ask<GenerationStarted>('generation:start', {
          ...first,
          content: { text: 'Hello', ...NOTHING },
          editOf: null,
        }),
      ),
    ];
    expect(again).toMatchObject({ generationId: one.generationId, duplicate: true });
    await page.close();
  });

  it('in title or activeLeafId of a thread changes nothing', async () => {
    const { threadId } = await harness.belongings(actors.owner);
    const { body: before } = await actors.owner.get(`/api/chat/threads/${threadId}/messages`);
    for (const fields of [{ title: null }, { activeLeafId: null }, { title: null, activeLeafId: null }]) {
      expect((await actors.owner.patch(`/api/chat/threads/${threadId}`, fields)).status).toBe(200);
    }
    expect((await actors.owner.get(`/api/chat/threads/${threadId}/messages`)).body).toEqual(before);
  });
});

it('AZ-2: a change of a thread is applied as a whole or not at all', async () => {
  const { threadId } = await harness.belongings(actors.owner);
  const { threadId: other } = await harness.belongings(actors.owner);
  const { body: messages } = await actors.owner.get<Message[]>(`/api/chat/threads/${other}/messages`);
  const before = await harness.fingerprint();
  const changes = { title: 'Renamed', activeLeafId: messages[0]!.id };
  expect((await actors.owner.patch(`/api/chat/threads/${threadId}`, changes)).status).toBe(404);
  expect(await harness.fingerprint()).toEqual(before);
});

const roleOf = async (client: HttpClient) => (await client.get('/api/user')).body;
