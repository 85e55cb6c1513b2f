import type { AdminUser, AuditEntry, CreatedInvitation, Group, Invitation, UserBatchResponse } from '@tanya/contract';
import { UserListService } from '../../src/admin-users/user-list.service.js';
import { UsersService } from '../../src/users/users.service.js';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(() => server.close());

const list = async (query: string) => {
  const answer = await admin.get<AdminUser[]>(`/api/admin/users?${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer;
};

const namesOf = async (query: string) => (await list(query)).body.map(({ username }) => username);

const change = (ids: number[], changes: object) =>
  admin.post<UserBatchResponse>('/api/admin/users/batch', { ids, changes });

describe('the list of people', () => {
  it('filters, and counts what it filters', async () => {
    const { user } = await server.member({ username: 'filtered-one', isPremium: true });
    await server.member({ username: 'filtered-two' });
    await change([user.id], { isSuspended: true });
    await admin.post('/api/admin/users', { username: 'filtered-service', isService: true });
    const found = async (filter: string) => {
      const { body, headers } = await list(`query=filtered&sort=username&${filter}`);
      expect(headers.get('x-total-count')).toBe(String(body.length));
      return body.map(({ username }) => username.slice('filtered-'.length));
    };
    expect(await found('suspended=true')).toEqual(['one']);
    expect(await found('suspended=false')).toEqual(['service', 'two']);
    expect(await found('plan=premium')).toEqual(['one']);
    expect(await found('plan=free&service=false')).toEqual(['two']);
    expect(await found('service=true')).toEqual(['service']);
    expect(await found('waiting=true')).toEqual([]);
    expect(await namesOf('admin=true')).toContain('admin');
    expect((await list('limit=1')).headers.get('x-total-count')).not.toBe('1');
    for (const query of ['waiting=yes', 'suspended=', 'plan=gold', 'admin=1', 'sort=money'])
      expect((await admin.get(`/api/admin/users?${query}`)).status).toBe(400);
  });

  it('finds names without their accents, and with them', async () => {
    await server.member({ username: 'mueller', fullName: 'Jürgen Müller' });
    await server.member({ username: 'lodz', fullName: 'Łukasz Żółć' });
    for (const query of ['muller', 'MÜLLER', 'Mu\u0308ller', 'jurgen mul'])
      expect(await namesOf(`query=${query}`)).toEqual(['mueller']);
    for (const query of ['lukasz', 'zolc', 'ŻÓŁĆ']) expect(await namesOf(`query=${query}`)).toEqual(['lodz']);
    for (const query of ['%25%25%25', 'ü_ler', '\\\\\\', '％％％', 'm＿ller'])
      expect(await namesOf(`query=${query}`)).toEqual([]);
  });

  it.each(['lastSeen', 'cost'])('goes through all pages by %s, each account once', async (sort) => {
    for (let index = 0; index < 3; index += 1) await server.member();
    const seen: number[] = [];
    let before = '';
    do {
      const { body, headers } = await list(`sort=${sort}&limit=2${before}`);
      seen.push(...body.map(({ id }) => id));
      const cursor = headers.get('x-next-cursor');
      before = cursor === null ? '' : `&before=${cursor}`;
    } while (before !== '');
    const all = (await list('limit=200')).body.map(({ id }) => id);
    expect(seen.toSorted((a, b) => a - b)).toEqual(all.toSorted((a, b) => a - b));
    expect((await admin.get(`/api/admin/users?sort=${sort}&before=7`)).status).toBe(400);
  });

  it('sorts by the last call and by the cost of the month', async () => {
    const { user } = await server.member({ username: 'costly' });
    await server.dataSource.query(
      `insert into usage_rollup (grain, day, owner, cost_usd) values ('month', date_trunc('month', now() at time zone 'utc'), $1, 5)`,
      [`user:${user.id}`],
    );
    expect((await namesOf('sort=cost'))[0]).toBe('costly');
    await server.dataSource.query(`update "user" set last_seen_at = now() + interval '1 hour' where id = $1`, [
      user.id,
    ]);
    expect((await namesOf('sort=lastSeen'))[0]).toBe('costly');
  });
});

describe('the file of people', () => {
  it('has the accounts of the filter, newest first, with the names of their groups', async () => {
    const { user: one } = await server.member({ username: 'filed-one', fullName: '=1+1', isPremium: true });
    const { user: two } = await server.member({ username: 'filed-two', fullName: 'Sari "S", Ayu' });
    const group = (await admin.post<Group>('/api/admin/groups', { name: 'Filed; people' })).body;
    await admin.put(`/api/admin/groups/${group.id}/members`, { userIds: [one.id] });
    await change([two.id], { isSuspended: true, quotaOverride: -1 });
    const file = async (query: string) => {
      const { body, headers } = await admin.get<string>(`/api/admin/users.csv?${query}`);
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename=users-.*\.csv$/);
      return body.trimEnd().split('\r\n');
    };
    const [head, ...lines] = await file('query=filed');
    expect(head).toMatch(/^id,username,full_name,email,phone_number,plan,/);
    expect(lines.map((line) => line.split(',')[1])).toEqual(['filed-two', 'filed-one']);
    expect(lines[0]).toContain(`${two.id},filed-two,"Sari ""S"", Ayu",,,free,`);
    expect(lines[0]).toMatch(/,0,0,-1,,,2/);
    expect(lines[1]).toContain(`${one.id},filed-one,'=1+1,,,premium,`);
    expect(lines[1]).toContain(',Filed; people,');
    expect((await file('query=filed&suspended=true')).slice(1)).toEqual([lines[0]]);
    expect((await file(`groupId=${group.id}`)).slice(1)).toEqual([lines[1]]);
    expect((await admin.get('/api/admin/users.csv?plan=gold')).status).toBe(400);
  });

  it('is whole over several pieces', async () => {
    await server.dataSource.query(
      `insert into "user" (username, username_key, password_hash)
        select 'pieced-' || n, 'pieced-' || n, '' from generate_series(1, 450) n`,
    );
    const { body } = await admin.get<string>('/api/admin/users.csv?query=pieced');
    const names = body
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]);
    expect(names).toEqual(Array.from({ length: 450 }, (_, at) => `pieced-${450 - at}`));
    const list = server.app.get(UserListService);
    const page = list.page.bind(list);
    const deletion = jest.spyOn(list, 'page').mockImplementationOnce(async (...asked) => {
      const { users, nextCursor } = await page(...asked);
      return { users: users.slice(1), nextCursor };
    });
    const shorter = await admin.get<string>('/api/admin/users.csv?query=pieced');
    expect(shorter.body.trimEnd().split('\r\n')).toHaveLength(450);
    deletion.mockRestore();
    await server.dataSource.query(`delete from "user" where username_key like 'pieced-%'`);
  });
});

describe('a change of many people', () => {
  it('judges each account alone and names the unknown ones', async () => {
    const one = await server.member();
    const two = await server.member();
    const unknown = 2147483647;
    const answer = await change([one.user.id, unknown, two.user.id], { isPremium: true });
    expect(answer.status).toBe(200);
    expect(answer.body.updated).toEqual([one.user.id, two.user.id]);
    expect(answer.body.failed).toEqual([{ id: unknown, code: 'not_found', message: expect.any(String) as string }]);
    expect((await list(`query=${one.username}`)).body[0]?.isPremium).toBe(true);
  });

  it('names the changed ones after a failure in the middle', async () => {
    const people = [await server.member(), await server.member(), await server.member()];
    const ids = people.map(({ user }) => user.id);
    const users = server.app.get(UsersService);
    const update = users.update.bind(users);
    const isAway = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const broken = jest.spyOn(users, 'update');
    broken.mockImplementationOnce(update).mockRejectedValueOnce(isAway);
    const { status, body } = await change(ids, { isPremium: true });
    expect([status, body.updated]).toEqual([200, ids.slice(0, 1)]);
    expect(body.failed).toMatchObject(ids.slice(1).map((id) => ({ id, code: 'storage_unavailable' })));
    broken.mockRejectedValueOnce(isAway);
    expect((await change(ids.slice(1), { isPremium: true })).status).toBe(503);
    broken.mockRestore();
  });

  it('keeps the last admin', async () => {
    const [own] = (await list('admin=true')).body;
    const { user } = await server.member();
    const { body } = await change([own!.id, user.id], { isAdmin: false, isPremium: true });
    expect(body.updated).toEqual([user.id]);
    expect(body.failed).toMatchObject([{ id: own!.id, code: 'last_admin' }]);
  });

  it('refuses other fields, repeated ids and too many', async () => {
    const { user } = await server.member();
    const refused: [unknown, unknown][] = [
      [[user.id], { password: PASSWORD }],
      [[user.id], { email: 'x@example.com' }],
      [[user.id], null],
      [[user.id], [{}]],
      [[user.id, user.id], { isPremium: true }],
      [['1'], { isPremium: true }],
      [Array.from({ length: 1_001 }, (_, index) => index + 1), { isPremium: true }],
    ];
    for (const [ids, changes] of refused)
      expect((await admin.post('/api/admin/users/batch', { ids, changes })).status).toBe(400);
  });
});

describe('a password that must be changed', () => {
  const DUE = [403, 'password_change_required'];

  it('refuses every other call and socket until then (AU-25)', async () => {
    const { client, user, username } = await server.member();
    const answer = await admin.patch<AdminUser>(`/api/admin/users/${user.id}`, { mustChangePassword: true });
    expect([answer.status, answer.body.mustChangePassword]).toEqual([200, true]);
    for (const path of ['/api/user', '/api/models', '/api/chat/threads', '/api/user/keys']) {
      const refused = await client.get(path);
      expect([refused.status, errorOf(refused).code]).toEqual(DUE);
    }
    await expect(SocketClient.connect(client)).rejects.toMatchObject({ data: { code: 'password_change_required' } });
    expect((await client.get('/api/session')).body).toMatchObject({ user: { mustChangePassword: true } });
    const newPassword = `${PASSWORD} again`;
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(200);
    expect((await client.post('/api/user/password', { currentPassword: 'wrong', newPassword })).status).toBe(401);
    expect((await client.get('/api/models')).status).toBe(403);
    expect((await client.post('/api/user/password', { currentPassword: PASSWORD, newPassword })).status).toBe(200);
    expect((await client.get('/api/models')).status).toBe(200);
    expect((await client.get('/api/session')).body).not.toMatchObject({ user: { mustChangePassword: true } });
  });

  it('is not the same one again', async () => {
    const { client, user } = await server.member();
    await change([user.id], { mustChangePassword: true });
    const refused = await client.post('/api/user/password', { currentPassword: PASSWORD, newPassword: PASSWORD });
    expect([refused.status, refusedField(refused)]).toEqual([400, 'newPassword']);
    expect((await client.get('/api/models')).status).toBe(403);
  });

  it('lets the person sign out', async () => {
    const { client, user } = await server.member();
    await change([user.id], { mustChangePassword: true });
    expect((await client.post('/api/logout')).status).toBe(200);
  });
});

it('lists an invitation that can be used, however many newer ones are over', async () => {
  const { id } = (await admin.post<CreatedInvitation>('/api/admin/invitations', {})).body;
  await server.dataSource.query(
    `insert into invitation (token_hash, plan, group_ids, expires_at)
      select gen_random_uuid(), 'free', '{}', now() - interval '1 day' from generate_series(1, 501)`,
  );
  const rows = (await admin.get<Invitation[]>('/api/admin/invitations')).body;
  expect(rows.map((row) => row.id)).toContain(id);
  await server.dataSource.query('delete from invitation');
});

describe('an invitation', () => {
  let count = 0;
  const newcomer = () => ({ username: `invited-${(count += 1)}`, password: PASSWORD });
  const invite = async (request: object = {}) => {
    const { status, body } = await admin.post<CreatedInvitation>('/api/admin/invitations', request);
    expect(status).toBe(201);
    return { ...body, invitation: new URL(body.url).searchParams.get('invitation')! };
  };
  const register = (request: object, browser = server.client()) => browser.post<AdminUser>('/api/register', request);
  const setMode = (registrationMode: string) => admin.patch('/api/admin/general-settings', { registrationMode });
  const one = async (username: string) => (await list(`query=${username}`)).body[0];

  afterEach(() => setMode('open'));

  it('registers one account while registration is closed, with its plan and groups, and never an admin', async () => {
    await setMode('closed');
    const group = (await admin.post<Group>('/api/admin/groups', { name: 'Invited' })).body;
    const { invitation, id, expiresAt } = await invite({ plan: 'premium', groupIds: [group.id] });
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(7);
    const person = newcomer();
    const browser = server.client();
    expect((await register({ ...person, invitation }, browser)).status).toBe(201);
    expect((await browser.get('/api/models')).status).toBe(200);
    expect(await one(person.username)).toMatchObject({
      isPremium: true,
      isAdmin: false,
      isApproved: true,
      groupIds: [group.id],
    });
    const again = await register({ ...newcomer(), invitation });
    expect([again.status, errorOf(again).code]).toEqual([400, 'invitation_invalid']);
    const rows = (await admin.get<Invitation[]>('/api/admin/invitations')).body;
    expect(rows.find((row) => row.id === id)).toMatchObject({
      username: person.username,
      usedAt: expect.any(String) as string,
    });
    expect(JSON.stringify(rows)).not.toContain(invitation);
    expect((await register(newcomer())).status).toBe(403);
  });

  it('skips the approval', async () => {
    await setMode('approval');
    const { invitation } = await invite();
    expect((await register({ ...newcomer(), invitation })).status).toBe(201);
  });

  it('is used once by parallel registrations, and not by a refused one', async () => {
    const { invitation } = await invite();
    const taken = newcomer();
    await register(taken);
    expect((await register({ ...taken, invitation })).status).toBe(409);
    const answers = await Promise.all([1, 2, 3].map(() => register({ ...newcomer(), invitation })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400]);
  });

  it('for an address is used with this address alone', async () => {
    const { invitation } = await invite({ email: 'Ayu@Example.com' });
    for (const email of [undefined, 'budi@example.com']) {
      const refused = await register({ ...newcomer(), email, invitation });
      expect([email, refused.status, errorOf(refused).code]).toEqual([email, 400, 'invalid']);
    }
    expect((await register({ ...newcomer(), email: 'ayu@example.com', invitation })).status).toBe(201);
  });

  it('goes with the account that used it, and its address leaves the audit log', async () => {
    const email = 'leaves@example.com';
    const { invitation, id } = await invite({ email });
    const { body: user } = await register({ ...newcomer(), email, invitation });
    expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
    expect((await admin.get<Invitation[]>('/api/admin/invitations')).body.map((row) => row.id)).not.toContain(id);
    const { text, body } = await admin.get<AuditEntry[]>('/api/admin/audit?target=invitation&limit=200');
    expect(body.map(({ target }) => target.id)).toContain(id);
    expect(text).not.toContain(email);
  });

  it('ends when it expires and when it is deleted', async () => {
    const expired = await invite({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await server.dataSource.query(`update invitation set expires_at = now() where id = $1`, [expired.id]);
    const deleted = await invite();
    expect((await admin.delete(`/api/admin/invitations/${deleted.id}`)).status).toBe(200);
    for (const { invitation } of [expired, deleted])
      expect(errorOf(await register({ ...newcomer(), invitation })).code).toBe('invitation_invalid');
  });

  it('is not guessed: misses of an address are limited (AU-26)', async () => {
    const browser = server.client();
    const statuses = new Set<number>();
    for (let index = 0; index < 32; index += 1)
      statuses.add((await register({ ...newcomer(), invitation: `guess-${index}` }, browser)).status);
    expect([...statuses]).toEqual([400, 429]);
  });

  it.each([
    { plan: 'gold' },
    { groupIds: [2147483647] },
    { groupIds: [1, 1] },
    { email: 'nobody' },
    { expiresAt: '2020-01-01T00:00:00Z' },
    { expiresAt: '2999-01-01T00:00:00Z' },
    { isAdmin: true },
  ])('refuses %j', async (request) => {
    expect((await admin.post('/api/admin/invitations', request)).status).toBe(400);
  });
});
