import type { AdminUser, ApiKeyResponse, User } from '@tanya/contract';
import { KeyLookup } from '../../src/api-keys/key-lookup.service.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { UsersService } from '../../src/users/users.service.js';
import { AccountLifecycleHooks } from '../../src/identity/account-lifecycle-hooks.js';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { createDatabase } from '../harness/postgres.js';
import { startRedis } from '../harness/redis.js';
import { ADMIN, PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(async () => {
  await server.close();
});

const list = (query = '') => admin.get<AdminUser[]>(`/api/admin/users${query}`);

describe('the first admin', () => {
  it('is created once when several nodes start together and users register first (BOOT-1)', async () => {
    const [database, redis] = await Promise.all([createDatabase(), startRedis()]);
    const start = (username: string) =>
      startTestApp({ database, env: { redisUrl: redis.url, admin: { username, password: 'a long first password' } } });
    const nodes = await Promise.all([start('root'), start('root')]);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        nodes[index % 2]!.client().post<AdminUser>('/api/register', { username: `first-${index}`, password: PASSWORD }),
      ),
    );
    expect(answers.map(({ body }) => body.isAdmin)).toEqual(Array<boolean>(30).fill(false));
    const again = await start('another');
    const admins = await again.dataSource.query<unknown[]>('select username from "user" where is_admin');
    expect(admins).toEqual([{ username: 'root' }]);
    const login = await again.client().post('/api/login', { username: 'another', password: 'a long first password' });
    expect(login.status).toBe(401);
    await Promise.all([...nodes, again].map((node) => node.close()));
    await redis.stop();
    await database.drop();
  });

  it('gets another name when a member already has the configured one (BOOT-1)', async () => {
    const [database, redis] = await Promise.all([createDatabase(), startRedis()]);
    const env = { redisUrl: redis.url };
    const one = await startTestApp({ database, env: { ...env, admin: { username: 'root', password: PASSWORD } } });
    const { user } = await one.member({ username: 'Chief' });
    await one.dataSource.query('update "user" set is_admin = false');
    const two = await startTestApp({ database, env: { ...env, admin: { username: 'chief', password: PASSWORD } } });
    const admins = await two.dataSource.query<{ id: number; username: string }[]>(
      'select id, username from "user" where is_admin',
    );
    expect(admins).toEqual([
      { id: expect.any(Number) as number, username: expect.stringMatching(/^chief-/) as string },
    ]);
    expect(admins[0]?.id).not.toBe(user.id);
    await Promise.all([one.close(), two.close()]);
    await redis.stop();
    await database.drop();
  });

  it('is never a user who registers (BOOT-1)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        server.client().post<AdminUser>('/api/register', { username: `early-${index}`, password: PASSWORD }),
      ),
    );
    expect(answers.map(({ body }) => body.isAdmin)).toEqual(Array<boolean>(10).fill(false));
  });
});

describe('the list of users', () => {
  it('pages with a cursor, newest first', async () => {
    for (let index = 0; index < 5; index += 1) await server.member({ username: `paged-${index}` });
    const names: string[] = [];
    for (let before: string | null = ''; before !== null;) {
      const page = await list(`?limit=2&query=paged-${before ? `&before=${before}` : ''}`);
      expect(page.body.length).toBeLessThanOrEqual(2);
      names.push(...page.body.map(({ username }) => username));
      before = page.headers.get('x-next-cursor');
    }
    expect(names).toEqual(['paged-4', 'paged-3', 'paged-2', 'paged-1', 'paged-0']);
  });

  it('sorts by name and by age', async () => {
    const sorted = async (sort: string) => {
      const first = await list(`?limit=3&query=paged-&sort=${sort}`);
      const rest = await list(`?query=paged-&sort=${sort}&before=${first.headers.get('x-next-cursor')}`);
      return [...first.body, ...rest.body].map(({ username }) => username.slice(-1)).join('');
    };
    expect(await sorted('username')).toBe('01234');
    expect(await sorted('oldest')).toBe('01234');
    expect(await sorted('newest')).toBe('43210');
  });

  it.each(['username', 'oldest', 'newest'])('continues by %s after an account that was deleted', async (sort) => {
    const members = [];
    for (const name of ['a', 'b', 'c']) members.push(await server.member({ username: `left-${sort}-${name}` }));
    const path = `?query=left-${sort}-&sort=${sort}`;
    const first = await list(`${path}&limit=2`);
    await admin.delete(`/api/admin/users/${members[1]!.user.id}`);
    const rest = await list(`${path}&before=${first.headers.get('x-next-cursor')}`);
    expect(rest.body.map(({ username }) => username)).toEqual([`left-${sort}-${sort === 'newest' ? 'a' : 'c'}`]);
  });

  it('continues by username after the id of an account, and refuses the id of none', async () => {
    const { user } = await server.member({ username: 'by-id-a' });
    await server.member({ username: 'by-id-b' });
    const after = (id: number) => list(`?query=by-id-&sort=username&before=${id}`);
    expect((await after(user.id)).body.map(({ username }) => username)).toEqual(['by-id-b']);
    const refused = await after(999_999_999);
    expect([refused.status, refusedField(refused)]).toEqual([400, 'before']);
  });

  it('finds parts of names, email addresses and phone numbers, without wildcards', async () => {
    await server.member({
      username: 'budi',
      fullName: 'Budi 100% Santoso',
      email: 'b.santoso@example.com',
      phoneNumber: '0812 55 77',
    });
    for (const query of ['BUDI', 'bu', '100% san', 'SANTOSO@example', '55 77']) {
      const found = await list(`?query=${encodeURIComponent(query)}`);
      expect([query, found.body.map(({ username }) => username)]).toEqual([query, ['budi']]);
    }
    expect((await list('?query=b%25i')).body).toEqual([]);
    expect((await list("?query='%3B--")).body).toEqual([]);
  });

  it('is bounded for every query parameter', async () => {
    expect((await list('?limit=1e9')).status).toBe(200);
    expect((await list('?limit=-5')).status).toBe(200);
    expect((await list('?before=x')).status).toBe(400);
    expect((await list('?sort=password')).status).toBe(400);
    expect((await list('?query=a&query=b')).status).toBe(200);
    expect((await list('?query=%00')).status).toBe(400);
  });

  it('is for admins alone and contains no secret (ADM-2, MA-3)', async () => {
    const { client } = await server.member();
    expect((await client.get('/api/admin/users')).status).toBe(403);
    expect((await (await server.guest()).get('/api/admin/users')).status).toBe(401);
    const keys = Object.keys((await list()).body[0]!).sort();
    expect(keys).toEqual(
      [
        'budget',
        'budgetPeriod',
        'budgetUsd',
        'createdAt',
        'email',
        'hasTotp',
        'fullName',
        'groupIds',
        'id',
        'isAdmin',
        'isApproved',
        'isPremium',
        'isSuspended',
        'isService',
        'language',
        'lastSeenAt',
        'messageCount',
        'mustChangePassword',
        'phoneNumber',
        'quotaLimit',
        'quotaOverride',
        'quotaUsed',
        'username',
      ].sort(),
    );
  });
});

describe('a user that an admin manages', () => {
  it('is created, changed field by field and cleared', async () => {
    const created = await admin.post<AdminUser>('/api/admin/users', {
      username: 'citra',
      password: PASSWORD,
      fullName: 'Citra',
      email: '',
      phoneNumber: '',
      isPremium: true,
      isAdmin: false,
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ username: 'citra', fullName: 'Citra', email: null, isPremium: true });
    const path = `/api/admin/users/${created.body.id}`;
    const changed = await admin.patch<AdminUser>(path, { email: 'citra@example.com', password: '' });
    expect(changed.body).toMatchObject({ fullName: 'Citra', email: 'citra@example.com', isPremium: true });
    expect((await admin.patch<AdminUser>(path, { fullName: '' })).body.fullName).toBeNull();
    expect((await admin.patch<AdminUser>(path, {})).body.username).toBe('citra');
    expect((await admin.patch<AdminUser>(`${path}/premium`, { isPremium: false })).body.isPremium).toBe(false);
    expect((await server.client().post('/api/login', { username: 'citra', password: PASSWORD })).status).toBe(200);
  });

  it.each([
    [{ username: null }, 400],
    [{ username: 'admin' }, 409],
    [{ isAdmin: 'yes' }, 400],
    [{ isAdmin: null }, 400],
    [{ messageCount: 0 }, 400],
    [{ passwordHash: 'x' }, 400],
    [{ sessionEpoch: 0 }, 400],
    [{ id: 1 }, 400],
    [{ password: 'short' }, 400],
    [{ email: { gt: '' } }, 400],
  ])('is not changed by %j (MA-1, PP-2)', async (changes, status) => {
    const { user } = await server.member();
    const row = () => server.dataSource.query<unknown[]>('select * from "user" where id = $1', [user.id]);
    const before = await row();
    expect((await admin.patch(`/api/admin/users/${user.id}`, changes)).status).toBe(status);
    expect(await row()).toEqual(before);
  });

  it('conflicts by its name alone, not by other unique columns', async () => {
    const sequence = `pg_get_serial_sequence('"user"', 'id')`;
    await server.dataSource.query(`select setval(${sequence}, (select min(id) from "user"), false)`);
    const refused = await admin.post('/api/admin/users', { username: 'of a taken id', password: PASSWORD });
    expect(errorOf(refused).code).toBe('internal');
    await server.dataSource.query(`select setval(${sequence}, (select max(id) from "user"))`);
  });

  it.each(['0', '-1', '1.5', '1e3', '0x10', "'%20OR%201=1", '999999999999999999', '2147483648', 'NaN'])(
    'is not found under the id %s',
    async (id) => {
      expect((await admin.patch(`/api/admin/users/${id}`, { isPremium: true })).status).toBe(404);
      expect((await admin.delete(`/api/admin/users/${id}`)).status).toBe(404);
      expect((await admin.post(`/api/admin/users/${id}/reset-password`, { newPassword: PASSWORD })).status).toBe(404);
    },
  );

  it('loses every session when an admin sets its password (AU-8)', async () => {
    const { client, user, username } = await server.member();
    const newPassword = 'chosen by the admin';
    expect((await admin.post(`/api/admin/users/${user.id}/reset-password`, { newPassword })).status).toBe(200);
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await server.client().post('/api/login', { username, password: newPassword })).status).toBe(200);
  });

  it('gains and loses admin rights at once (AU-6, WS-4)', async () => {
    const { client, user, username } = await server.member();
    await admin.patch(`/api/admin/users/${user.id}`, { isAdmin: true });
    expect((await client.get('/api/admin/users')).status).toBe(200);
    await admin.patch(`/api/admin/users/${user.id}`, { isAdmin: false });
    expect((await client.get('/api/admin/users')).status).toBe(401);
    await client.post('/api/login', { username, password: PASSWORD });
    expect((await client.get('/api/admin/users')).status).toBe(403);
  });

  it('is deleted with all access, after the lifecycle hooks ran (AU-9, KEY-3)', async () => {
    const { client, user, username } = await server.member();
    const { apiKey } = (await client.post<ApiKeyResponse>('/api/user/apikey/generate')).body;
    const deleted: string[] = [];
    server.app.get(AccountLifecycleHooks).onDelete(async (owner) => void deleted.push(owner));
    expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
    expect(deleted).toEqual([`user:${user.id}`]);
    expect((await client.get('/api/user')).status).toBe(401);
    expect(await server.app.get(KeyLookup).find(apiKey!)).toBeNull();
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(401);
    expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(404);
  });
});

describe('admins and their own account', () => {
  it('change their password and email with the current password alone, in the account settings (AU-22)', async () => {
    const { client, user } = await server.member({ isAdmin: true, email: 'own@example.org' });
    const path = `/api/admin/users/${user.id}`;
    const calls = [
      () => client.patch(path, { password: 'set without the old one' }),
      () => client.patch(path, { email: 'thief@example.org' }),
      () => client.patch(path, { email: '', fullName: 'Cleared' }),
      () => client.patch(path, { email: null }),
      () => client.post(`${path}/reset-password`, { newPassword: 'set without the old one' }),
    ];
    for (const call of calls) {
      expect(errorOf(await call())).toMatchObject({
        statusCode: 409,
        code: 'conflict',
        details: { params: { reason: 'own_credentials' } },
      });
    }
    expect((await client.get<User>('/api/user')).body).toMatchObject({ email: 'own@example.org', fullName: null });
    // A form sends fields that did not change.
    const rest = { email: ' own@example.org ', password: '', fullName: 'Own Name', isPremium: true };
    expect((await client.patch(path, rest)).status).toBe(200);
    const email = { email: 'new@example.org', currentPassword: PASSWORD };
    expect((await client.patch('/api/user', email)).status).toBe(200);
    expect((await admin.patch(path, { email: 'other@example.org' })).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(200);
  });
});

describe('the last admin', () => {
  it('can neither be deleted nor demoted (ADM-1)', async () => {
    const { id } = (await list('?query=admin&sort=oldest')).body.find(({ username }) => username === ADMIN.username)!;
    expect(errorOf(await admin.delete(`/api/admin/users/${id}`))).toMatchObject({
      statusCode: 409,
      code: 'last_admin',
    });
    const refused = await admin.patch(`/api/admin/users/${id}`, { isAdmin: false });
    expect(errorOf(refused).code).toBe('last_admin');
    expect(errorOf(await admin.delete('/api/user', { password: ADMIN.password })).code).toBe('last_admin');
    expect((await admin.get('/api/admin/users')).status).toBe(200);
  });

  it('among several admins cannot be deleted by itself in the list', async () => {
    const rival = await server.member({ isAdmin: true });
    const refused = errorOf(await rival.client.delete(`/api/admin/users/${rival.user.id}`));
    expect(refused).toMatchObject({ statusCode: 409, code: 'conflict' });
    expect((await admin.delete(`/api/admin/users/${rival.user.id}`)).status).toBe(200);
  });

  it('remains when two admins demote each other concurrently (ADM-1)', async () => {
    const rival = await server.member({ isAdmin: true });
    const [own] = (await list(`?query=${ADMIN.username}&sort=oldest`)).body;
    for (const { id } of (await list()).body.filter(({ isAdmin }) => isAdmin)) {
      if (id !== own!.id && id !== rival.user.id) await admin.patch(`/api/admin/users/${id}`, { isAdmin: false });
    }
    const answers = await Promise.all([
      admin.patch(`/api/admin/users/${rival.user.id}`, { isAdmin: false }),
      rival.client.patch(`/api/admin/users/${own!.id}`, { isAdmin: false }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await server.dataSource.query<{ id: number }[]>('select id from "user" where is_admin');
    expect(left).toHaveLength(1);
    await server.dataSource.query('update "user" set is_admin = true where id = $1', [own!.id]);
    admin = await server.admin();
  });

  it('is looked for without a wait for rows that begin to refer to accounts', async () => {
    const [one, two] = [await server.member({ isAdmin: true }), await server.member({ isAdmin: true })];
    const users = server.app.get(UsersService);
    await server.dataSource.transaction(async (manager) => {
      // As an insert into a table with a foreign key does, which may wait for a lock of the change in turn.
      await manager.query('select 1 from "user" where id = any($1) for key share', [[one.user.id, two.user.id]]);
      await users.update(one.user.id, { isAdmin: false, password: PASSWORD });
    });
    expect((await users.get(one.user.id)).isAdmin).toBe(false);
  });

  it('remains when all admins are demoted and removed concurrently (ADM-1)', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => server.member({ isAdmin: true })));
    const admins = (await list()).body.filter(({ isAdmin }) => isAdmin);
    const users = server.app.get(UsersService);
    const removals = admins.flatMap(({ id }) => [users.update(id, { isAdmin: false }), users.remove(id)]);
    for (const result of await Promise.allSettled(removals))
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(AppError);
    const left = await server.dataSource.query<unknown[]>('select 1 from "user" where is_admin');
    expect(admins.length).toBeGreaterThan(others.length);
    expect(left).toHaveLength(1);
  });
});
