import { existsSync, readdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { readEnv } from '../../src/config/env.js';
import { HttpClient } from '../harness/http-client.js';
import { createDatabase } from '../harness/postgres.js';
import { ROUTES } from './routes-table.js';
import { ACTORS } from './routes-harness.js';
import { actors, harness } from './security-harness.js';
import { startUpstream } from '../harness/scripted-upstream.js';
import { MeasuredProcess } from '../harness/servers/measured-process.js';
import { SocketClient } from '../harness/socket-client.js';
import { ADMIN, PASSWORD } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';

const READS = Object.keys(ROUTES)
  .filter((route) => route.startsWith('GET '))
  .map((route) => route.slice(4));

describe('SET-1, SET-2: secrets', () => {
  const STORED = 'sk-or-stored-0123456789abcdef';

  it('appear in no response', async () => {
    await actors.admin.patch('/api/admin/general-settings', { openrouterApiKey: STORED });
    const owned = await harness.belongings(actors.owner);
    const { env } = harness;
    const secrets = [STORED, env.openai.apiKey, env.appSecret, env.databaseUrl, ADMIN.password, PASSWORD];
    const assets = new URL('../../../frontend/dist/assets/', import.meta.url);
    const files = existsSync(assets) ? readdirSync(assets).filter((name) => /\.(js|css)$/.test(name)) : [];
    const paths = [
      ...READS.map((path) =>
        path
          .replace('threads/:id', `threads/${owned.threadId}`)
          .replace('files/:id', `files/${owned.fileId}`)
          .replace(':asset', 'swagger-ui.css')
          .replace('*id', 'openai/gpt-4o-mini'),
      ),
      '/',
      '/admin/settings',
      '/.env',
      '/.git/HEAD',
      '/socket.io/?EIO=4&transport=polling',
      ...files.map((name) => `/assets/${name}`),
    ];
    const found: string[] = [];
    for (const actor of ACTORS) {
      for (const path of paths) {
        // Assets do not depend on the actor.
        if (path.startsWith('/assets/') && actor !== 'visitor') continue;
        const { text } = await actors[actor].get(path);
        for (const secret of secrets) if (secret !== null && text.includes(secret)) found.push(`${actor} ${path}`);
      }
    }
    expect(found).toEqual([]);
    await actors.admin.patch('/api/admin/general-settings', { openrouterApiKey: '' });
  });

  // The setting `alertWebhookSecret` is shown to admins as its mask.
  it('MA-3: internal fields appear in no response', async () => {
    const owned = await harness.belongings(actors.owner);
    for (const actor of ACTORS) {
      for (const path of READS.filter((one) => one !== '/api/docs-json' && !/:asset|\*id/.test(one))) {
        const { text } = await actors[actor].get(path.replace(':id', String(owned.threadId)));
        expect([
          path,
          /"(?!alertWebhookSecret")\w*(hash|sealed|epoch|secret|nodeId|clientMessageId|requestHash)\w*":/i.exec(text),
        ]).toEqual([path, null]);
      }
    }
  });
});

it('ADM-3: messages of a user appear in no response to an admin', async () => {
  const secret = 'only-between-the-two-of-us';
  const { client, user } = await harness.member();
  const owned = await harness.belongings(client);
  await client.post('/api/chat/message', { content: secret, threadId: owned.threadId });
  await client.patch(`/api/chat/threads/${owned.threadId}`, { title: secret });
  expect((await client.get('/api/user/export')).text).toContain(secret);
  const reads = READS.filter((path) => !/:asset|\*id|\/metrics/.test(path)).flatMap((path) =>
    [owned.threadId, owned.messageId, owned.generationId, owned.fileId, user.id].map((id) =>
      path.replace(':id', String(id)),
    ),
  );
  for (const path of [...new Set(reads), `/api/chat/threads?query=${secret}`, `/api/admin/users?query=${secret}`]) {
    expect([path, (await actors.admin.get(path)).text.includes(secret)]).toEqual([path, false]);
  }
});

it('SET-4: placeholders are not expanded, neither in messages nor in settings', async () => {
  const text = 'Say ${APP_SECRET} {{DATABASE_URL}} $OPENAI_API_KEY %PATH% <%= env %>';
  expect((await actors.admin.patch('/api/admin/general-settings', { systemPrompt: text })).status).toBe(200);
  expect((await actors.owner.post('/api/chat/message', { content: text })).status).toBe(201);
  const asked = harness.upstream.callsOf('chat').at(-1)?.body as { messages: { role: string; content: string }[] };
  expect(asked.messages.map(({ content }) => content)).toEqual([text, text]);
  await actors.key.post('/api/v1/chat', { messages: [{ role: 'user', content: text }] });
  expect(harness.upstream.callsOf('chat').at(-1)?.body).toMatchObject({ messages: [{ role: 'user', content: text }] });
});

describe('BOOT-3: production without a secret of its own', () => {
  const production = { DATABASE_URL: 'postgres://db.example/tanya', PUBLIC_URL: 'https://chat.example' };

  it.each([undefined, '', 'short', 'changeme'.repeat(5), 'your-secret-your-secret-your-secret', 'x'.repeat(40)])(
    'does not start: %s',
    (secret) => {
      expect(() => readEnv({ ...production, APP_SECRET: secret })).toThrow(/APP_SECRET/);
    },
  );
});

describe('an API key', () => {
  const completion = { messages: [{ role: 'user', content: 'Hello' }] };
  const member = async () => {
    const { client, user } = await harness.member();
    const { apiKey } = (await client.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
    return { client, user, apiKey };
  };
  const ask = (headers: Record<string, string>, path = '/api/v1/models') => harness.client().get(path, { headers });

  it('KEY-4: is accepted as a Bearer token or in x-api-key, and in no other place', async () => {
    const { client, apiKey } = await member();
    expect((await ask({ Authorization: `Bearer ${apiKey}` })).status).toBe(200);
    expect((await ask({ Authorization: `bearer ${apiKey}` })).status).toBe(200);
    expect((await ask({ 'X-Api-Key': apiKey })).status).toBe(200);
    const otherWays: Record<string, string>[] = [
      { Authorization: apiKey },
      { Authorization: `Basic ${Buffer.from(`:${apiKey}`).toString('base64')}` },
      { Authorization: `Token ${apiKey}` },
      { Cookie: `apiKey=${apiKey}` },
    ];
    for (const headers of otherWays) {
      expect([headers, (await ask(headers)).status]).toEqual([headers, 401]);
    }
    expect((await ask({}, `/api/v1/models?api_key=${apiKey}&key=${apiKey}`)).status).toBe(401);
    expect((await client.get('/api/v1/models')).status).toBe(401);
  });

  it('KEY-3, AU-9: ends with its account, as do cookie, socket and running answers', async () => {
    const { client, user, apiKey } = await member();
    const page = await SocketClient.connect(client);
    const closed = new Promise((resolve) => page.socket.once('disconnect', resolve));
    const running = harness
      .client()
      .post<unknown>(
        '/api/v1/chat',
        { messages: [{ role: 'user', content: 'Slowly [[words=20000 pace=10]]' }] },
        { headers: { Authorization: `Bearer ${apiKey}` } },
      );
    await waitUntil('the call', () =>
      harness.upstream.callsOf().some(({ finished, closedAt }) => !finished && closedAt === null),
    );
    expect((await actors.admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
    await closed;
    expect((await ask({ Authorization: `Bearer ${apiKey}` })).status).toBe(401);
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await running).status).toBeGreaterThanOrEqual(400);
  });

  it('AZ-3, AZ-8: reaches no thread, and forwards allowed parameters alone', async () => {
    const owned = await harness.belongings(actors.owner);
    const messages = `/api/chat/threads/${owned.threadId}/messages`;
    const before = (await actors.owner.get(messages)).text;
    const { apiKey } = await member();
    const smuggled = {
      ...completion,
      model: 'openai/gpt-4o-mini',
      threadId: owned.threadId,
      thread_id: owned.threadId,
      base_url: 'https://evil.example',
      api_key: 'sk-mine',
      provider: { only: ['evil'] },
      user: 'end user',
      plugins: [{ id: 'web' }],
      route: 'fallback',
    };
    const headers = { Authorization: `Bearer ${apiKey}`, Cookie: actors.owner.cookieHeader };
    expect((await harness.client().post('/api/v1/chat', smuggled, { headers })).status).toBe(200);
    const call = harness.upstream.callsOf().at(-1);
    const allowed = [
      'model',
      'messages',
      'stream',
      'stream_options',
      'max_tokens',
      'temperature',
      'max_completion_tokens',
    ];
    expect(Object.keys(call?.body ?? {}).filter((field) => !allowed.includes(field))).toEqual([]);
    expect(call?.headers.authorization).toBe('Bearer sk-scripted-upstream');
    expect(call?.headers.cookie).toBeUndefined();
    expect((await actors.owner.get(messages)).text).toBe(before);
  });

  it.each([{ temperature: 1e9 }, { max_tokens: 1e9 }, { n: 100 }, { tools: [{}] }, { messages: [{ role: 'root' }] }])(
    'AZ-8: cannot exceed the bounds of parameters: %j',
    async (fields) => {
      const answer = await actors.key.post('/api/v1/chat', { ...completion, ...fields });
      expect(answer).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
    },
  );
});

describe('AU-6: a session id', () => {
  const idOf = (client: HttpClient) => client.cookies.get('tanya.sid');

  it('changes with login, registration and a new password, and the old one is invalid', async () => {
    const { client, username } = await harness.member();
    const planted = idOf(client);
    const again = client.copy();
    await again.post('/api/login', { username, password: PASSWORD });
    expect(idOf(again)).not.toBe(planted);
    const before = again.copy();
    const changed = await again.post('/api/user/password', {
      currentPassword: PASSWORD,
      newPassword: `${PASSWORD} again`,
    });
    expect(changed.status).toBe(200);
    expect(idOf(again)).not.toBe(idOf(before));
    expect((await before.get('/api/user')).status).toBe(401);
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await again.get('/api/user')).status).toBe(200);
    const registered = before.copy();
    await registered.post('/api/register', { username: `new-${randomUUID()}`, password: PASSWORD });
    expect(idOf(registered)).not.toBe(idOf(before));
  });
});

it('SET-5: the log contains no password, key or prompt, and no forged line', async () => {
  const database = await createDatabase();
  const upstream = await startUpstream({ words: 1 });
  const provider = { OPENAI_API_KEY: 'sk-provider-in-the-env', OPENAI_BASE_URL: upstream.url };
  const server = await MeasuredProcess.start(database.url, { ...provider, LOG_LEVEL: 'debug' });
  const client = new HttpClient(server.url, '10.1.2.3');
  const forged = 'evil\r\n{"level":50,"msg":"forged"}';
  await client.post('/api/login', { username: forged, password: 'wrong-password-in-log' });
  await client.post('/api/register', { username: 'logged', password: 'right-password-in-log' });
  const { apiKey } = (await client.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
  await client.post('/api/chat/message', { content: 'prompt-in-the-log' });
  upstream.script({ status: 401, body: '{"error":{"message":"Incorrect API key: sk-provider-in-the-env"}}' });
  const refused = await client.post('/api/chat/message', { content: 'prompt-in-the-log' });
  expect(refused.text).not.toContain('sk-provider');
  await client.get('/api/chat/threads?query=query-in-the-log');
  await client.get('/api/general-settings', { headers: { 'X-Request-Id': forged.replace(/[\r\n]+/, ' ') } });
  const headers = { Authorization: `Bearer ${apiKey}` };
  await client.post('/api/v1/chat', { messages: [{ role: 'user', content: 'prompt-in-the-log' }] }, { headers });
  const session = client.cookies.get('tanya.sid') ?? 'none';
  await server.stop();
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const log = lines.join('\n');
  expect(lines.some((line) => line.includes('"route":"/api/login"'))).toBe(true);
  for (const line of lines) expect(JSON.parse(line)).not.toMatchObject({ msg: 'forged' });
  for (const secret of ['password-in-log', 'sk-provider', 'prompt-in-the-log', 'query-in', apiKey, session, 'evil']) {
    expect([secret, log.includes(secret)]).toEqual([secret, false]);
  }
  await upstream.close();
  await database.drop();
});
