import {
  type ContinueShareResponse,
  type PublicSettings,
  type SessionState,
  type Share,
  type Thread,
} from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { ROUTES, type Objects } from '../security/routes-table.js';

/** What a visitor needs in order to log in, to register, and to read a shared chat. */
const OPEN = [
  'GET /api/general-settings',
  'GET /api/logo',
  'GET /api/session',
  'POST /api/login',
  'POST /api/login/passkey',
  'POST /api/login/passkey/options',
  'POST /api/logout',
  'GET /api/auth/providers',
  'GET /api/auth/oidc/:id/start',
  'GET /api/auth/oidc/:id/callback',
  'POST /api/auth/oidc/complete',
  'POST /api/auth/oidc/:id/backchannel-logout',
  'POST /api/register',
  'POST /api/register/confirm',
  'POST /api/password-reset',
  'POST /api/password-reset/confirm',
  'GET /api/share/:token',
  'GET /api/share/:token/files/:fileId',
];

const OBJECTS = { model: { id: 1, modelId: 'some/model' } } as Objects;

let server: ChatHarness;
let admin: HttpClient;

beforeAll(async () => {
  server = await startChatHarness({ redis: false });
  admin = await server.admin();
});

afterAll(() => server.close());

const setGuests = async (guestsEnabled: unknown) =>
  (await admin.patch('/api/admin/general-settings', { guestsEnabled })).status;

afterEach(() => setGuests(true));

describe('guests that are off', () => {
  it('are a public switch, on by default', async () => {
    const read = async () => (await server.client().get<PublicSettings>('/api/general-settings')).body.guestsEnabled;
    expect(await read()).toBe(true);
    for (const value of [null, 'no', 0, []]) expect(await setGuests(value)).toBe(400);
    expect(await setGuests(false)).toBe(200);
    expect(await read()).toBe(false);
  });

  it('get 401 from every call except those that a visitor needs (AU-24)', async () => {
    await setGuests(false);
    const ofPage = Object.entries(ROUTES).filter(([route]) => !/ \/(metrics|api\/(v1|health|docs))/.test(route));
    for (const [route, { path, body, raw }] of ofPage) {
      const [method = '', pattern = ''] = route.split(' ');
      const address = path?.(OBJECTS) ?? pattern;
      const answer = await server.client().send(method, address, { body: body?.(OBJECTS), raw: raw?.() });
      const isRefused = answer.status === 401 && errorOf(answer).code === 'unauthenticated';
      expect([route, isRefused]).toEqual([route, !OPEN.includes(route)]);
    }
    expect((await server.client().get<SessionState>('/api/session')).body).toEqual({ user: null });
  });

  it('register, log in and out; members are not affected', async () => {
    await setGuests(false);
    const credentials = { username: 'newcomer', password: PASSWORD };
    const browser = server.client();
    expect((await browser.post('/api/register', credentials)).status).toBe(201);
    expect((await browser.get('/api/models')).status).toBe(200);
    expect((await browser.post('/api/logout')).status).toBe(200);
    expect((await browser.get('/api/models')).status).toBe(401);
    expect((await browser.post('/api/login', credentials)).status).toBe(200);
    const page = await SocketClient.connect(browser);
    await setGuests(true);
    await setGuests(false);
    expect(page.socket.connected).toBe(true);
    await page.close();
  });

  it('lose their sockets, without the report that a session has ended, and get no new one (AU-24)', async () => {
    const browser = server.client();
    const page = await SocketClient.connect(browser);
    let reports = 0;
    page.socket.on('session:ended', () => (reports += 1));
    const closed = new Promise((resolve) => page.socket.once('disconnect', resolve));
    const told = new Promise<void>((resolve) => page.socket.once('settings:changed', resolve));
    await setGuests(false);
    await Promise.all([told, closed]);
    expect(reports).toBe(0);
    for (const visitor of [browser, server.client()])
      await expect(SocketClient.connect(visitor)).rejects.toMatchObject({ data: { code: 'unauthenticated' } });
    await setGuests(true);
    await (await SocketClient.connect(browser)).close();
  });

  it('keep their chat, and take it along when they log in', async () => {
    const { username } = await server.member();
    const browser = server.client();
    const { threadId } = (await browser.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' })).body;
    await setGuests(false);
    expect((await browser.get(`/api/chat/threads/${threadId}`)).status).toBe(401);
    await browser.post('/api/login', { username, password: PASSWORD });
    expect((await browser.get<Thread[]>('/api/chat/threads')).body.map(({ id }) => id)).toContain(threadId);
  });

  it('read a shared chat, and cannot go on with it', async () => {
    const { client } = await server.member();
    const { threadId } = (await client.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' })).body;
    const { token } = (await client.post<Share>(`/api/chat/threads/${threadId}/share`)).body;
    await setGuests(false);
    const visitor = server.client();
    expect((await visitor.get(`/api/share/${token}`)).status).toBe(200);
    const refused = await visitor.post<ContinueShareResponse>(`/api/share/${token}/continue`);
    expect([refused.status, errorOf(refused).code]).toEqual([401, 'unauthenticated']);
  });
});
