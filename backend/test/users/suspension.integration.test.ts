import type { AdminUser, ApiKeyResponse, CreatedApiKey, SessionEndedPayload } from '@tanya/contract';
import { AccountLifecycleHooks } from '../../src/identity/account-lifecycle-hooks.js';
import { Bus } from '../../src/platform/bus/bus.js';
import { at, ENDLESS, startTwoNodes, type TwoNodes } from '../chat/nodes/two-nodes.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { refusalOf, SocketClient } from '../harness/socket-client.js';
import { ADMIN, PASSWORD } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';
import { ask, errorIn } from '../public-api/public-api-harness.js';

let nodes: TwoNodes;
let admin: HttpClient;

beforeAll(async () => {
  nodes = await startTwoNodes();
  admin = await nodes.one.admin();
});

afterEach(() => nodes.settle());

afterAll(() => nodes.close());

const suspend = (id: number, isSuspended = true) => admin.patch<AdminUser>(`/api/admin/users/${id}`, { isSuspended });

const refusal = (answer: Parameters<typeof errorOf>[0]) => [answer.status, errorOf(answer).code];

const SUSPENDED = [403, 'account_suspended'];

const connectError = (browser: HttpClient): Promise<{ data?: { code?: string } }> =>
  SocketClient.connect(browser).then(
    () => ({}),
    (error: { data?: { code?: string } }) => error,
  );

describe('a suspended account', () => {
  it('is refused on every transport and node, and admitted again after the suspension (AU-19)', async () => {
    const { client, user, username } = await nodes.one.member();
    const { apiKey } = (await client.post<ApiKeyResponse>('/api/user/apikey/generate')).body;
    const { key } = (await client.post<CreatedApiKey>('/api/user/keys', { name: 'listed' })).body;
    const answer = await suspend(user.id);
    expect([answer.status, answer.body.isSuspended]).toEqual([200, true]);
    const login = { username, password: PASSWORD };
    for (const node of [nodes.one, nodes.two]) {
      const browser = at(node, client);
      for (const path of ['/api/user', '/api/chat/threads', '/api/models', '/api/user/export'])
        expect(refusal(await browser.get(path))).toEqual(SUSPENDED);
      expect(refusal(await browser.post('/api/chat/message', { content: 'Hello' }))).toEqual(SUSPENDED);
      expect(await connectError(browser)).toMatchObject({ data: { code: 'account_suspended' } });
      for (const bearer of [apiKey!, key]) {
        const headers = { Authorization: `Bearer ${bearer}` };
        const call = await node.client().post('/api/v1/chat', ask('Hello'), { headers });
        expect([call.status, errorIn(call.body).code]).toEqual(SUSPENDED);
      }
      expect(refusal(await node.client().post('/api/login', login))).toEqual(SUSPENDED);
      expect(refusal(await node.client().post('/api/login', { ...login, password: 'wrong' }))[0]).toBe(401);
      expect((await browser.get('/api/session')).body).toEqual({ user: null, isSuspended: true });
      expect((await browser.get('/api/general-settings')).status).toBe(200);
    }
    expect((await suspend(user.id, false)).body.isSuspended).toBe(false);
    // The sessions of before have ended.
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await nodes.two.client().post('/api/login', login)).status).toBe(200);
    expect((await nodes.two.client().get('/api/v1/models', { headers: { 'x-api-key': key } })).status).toBe(200);
  });

  it('can log out, and log in to another account', async () => {
    const { client, user } = await nodes.one.member();
    const other = await nodes.one.member();
    await suspend(user.id);
    expect((await client.post('/api/login', { username: other.username, password: PASSWORD })).status).toBe(200);
    expect((await client.get('/api/user')).body).toMatchObject({ id: other.user.id });
    await suspend(other.user.id);
    expect((await client.post('/api/logout')).status).toBe(200);
    expect((await client.get('/api/session')).body).toEqual({ user: null });
  });

  it('loses its sockets and running answers on all nodes, free of charge (AU-19)', async () => {
    const { client, user } = await nodes.one.member();
    const pages = [await SocketClient.connect(client), await SocketClient.connect(at(nodes.two, client))];
    const reasons: string[] = [];
    const closed = pages.map(
      ({ socket }) =>
        new Promise<void>((resolve) => {
          socket.on('session:ended', ({ reason }: SessionEndedPayload) => reasons.push(reason));
          socket.once('disconnect', () => resolve());
        }),
    );
    const running = await Promise.all(pages.map((page) => page.start(ENDLESS)));
    await Promise.all(running.map(({ generationId }, index) => pages[index]!.firstText(generationId)));
    const { key } = (await client.post<CreatedApiKey>('/api/user/keys', { name: 'running' })).body;
    const streaming = nodes.two
      .client()
      .post('/api/v1/chat', ask(ENDLESS), { headers: { Authorization: `Bearer ${key}` } });
    const count = async () =>
      (
        await nodes.one.dataSource.query<unknown[]>(
          `select 1 from generation where user_id = $1 and status = 'streaming'`,
          [user.id],
        )
      ).length;
    await waitUntil('three running answers', async () => (await count()) === 3);
    await suspend(user.id);
    expect(await count()).toBe(0);
    await Promise.all(closed);
    expect(reasons).toEqual(['suspended', 'suspended']);
    expect((await streaming).status).toBe(503);
    const ends = await nodes.one.dataSource.query<{ status: string; state: string }[]>(
      `select distinct g.status, u.state from generation g join usage_record u on u.generation_id = g.id
       where g.user_id = $1`,
      [user.id],
    );
    expect(ends).toEqual([{ status: 'interrupted', state: 'released' }]);
  });

  it('is completed by a repeated suspension after a failure', async () => {
    const { page, user } = await nodes.two.memberPage();
    const { generationId } = await page.start(ENDLESS);
    await page.firstText(generationId);
    const failing = jest
      .spyOn(nodes.one.app.get(AccountLifecycleHooks), 'afterSuspension')
      .mockRejectedValueOnce(new Error('lost connection'));
    expect((await suspend(user.id)).status).toBe(500);
    expect((await suspend(user.id)).status).toBe(200);
    failing.mockRestore();
    const [{ status }] = await nodes.one.dataSource.query<[{ status: string }]>(
      'select status from generation where id = $1',
      [generationId],
    );
    expect(status).toBe('interrupted');
  });

  it('closes the sockets with a repeated suspension after a failure (AU-19)', async () => {
    const { client, user } = await nodes.one.member();
    const page = await SocketClient.connect(at(nodes.two, client));
    const closed = new Promise<void>((resolve) => page.socket.once('disconnect', () => resolve()));
    const failing = jest.spyOn(nodes.one.app.get(Bus), 'publish').mockRejectedValueOnce(new Error('lost connection'));
    expect((await suspend(user.id)).status).toBe(500);
    failing.mockRestore();
    expect((await suspend(user.id)).status).toBe(200);
    await closed;
  });

  it('has no answer of sends that race with the suspension (AU-19)', async () => {
    const { client, user } = await nodes.one.member();
    const page = await SocketClient.connect(client);
    await page.ended((await page.start('first')).generationId);
    const sends = Array.from({ length: 15 }, (_, index) =>
      index % 2
        ? at(nodes.two, client).post('/api/chat/message', { content: `${ENDLESS} ${index}` })
        : page.tryStart(`${ENDLESS} ${index}`).catch(() => null),
    );
    await suspend(user.id);
    const rows = await nodes.one.dataSource.query<unknown[]>(
      `select 1 from generation where user_id = $1 and status = 'streaming'`,
      [user.id],
    );
    expect(rows).toEqual([]);
    await Promise.all(sends);
    await page.close();
  });

  it('is closed by the periodic check when the announcement was lost', async () => {
    const { page, user } = await nodes.two.memberPage();
    await nodes.one.dataSource.query('update "user" set is_suspended = true where id = $1', [user.id]);
    expect(refusalOf(await page.tryStart('Hello')).code).toBe('account_suspended');
    await waitUntil('the socket to close', () => !page.socket.connected);
  });
});

describe('the last admin', () => {
  it('cannot be suspended, nor demoted while the other admins are suspended (ADM-1)', async () => {
    const { body } = await admin.get<AdminUser[]>(`/api/admin/users?query=${ADMIN.username}&sort=oldest`);
    const { id } = body.find(({ username }) => username === ADMIN.username)!;
    expect(refusal(await suspend(id))).toEqual([409, 'last_admin']);
    const rival = await nodes.one.member({ isAdmin: true });
    await suspend(rival.user.id);
    expect(refusal(await suspend(id))).toEqual([409, 'last_admin']);
    expect(refusal(await admin.patch(`/api/admin/users/${id}`, { isAdmin: false }))).toEqual([409, 'last_admin']);
    expect(refusal(await rival.client.get('/api/admin/users'))).toEqual(SUSPENDED);
  });

  it('remains when two admins suspend each other (ADM-1)', async () => {
    const { id } = (await admin.get<AdminUser[]>(`/api/admin/users?query=${ADMIN.username}&sort=oldest`)).body[0]!;
    const rival = await nodes.two.member({ isAdmin: true });
    const answers = await Promise.all([
      suspend(rival.user.id),
      rival.client.patch(`/api/admin/users/${id}`, { isSuspended: true }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await nodes.one.dataSource.query('update "user" set is_suspended = false where id = $1', [id]);
  });
});
