import { randomUUID } from 'node:crypto';
import type { CreatedInvitation, PublicSettings, User } from '@tanya/contract';
import { UsersService } from '../../src/users/users.service.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { ADMIN, PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { addPasskey, passkeyLogin } from './passkey-device.js';

let mail: MailServer;
let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  mail = await MailServer.start();
  server = await startTestApp({ env: { smtp: mail.smtp } });
  admin = await server.admin();
});

afterAll(async () => {
  await server.close();
  await mail.close();
});

const setPasswordLogin = (passwordLogin: unknown) => admin.patch('/api/admin/general-settings', { passwordLogin });

afterEach(() => setPasswordLogin('everyone'));

const login = (username: string, password = PASSWORD) =>
  server.client().post<User>('/api/login', { username, password });

const ask = (email: string) => server.client().post('/api/password-reset', { email });

describe('passwords for admins alone', () => {
  it('are a public setting', async () => {
    const read = async () => (await server.client().get<PublicSettings>('/api/general-settings')).body.passwordLogin;
    expect(await read()).toBe('everyone');
    for (const value of [null, true, 'nobody', ['admins']]) expect((await setPasswordLogin(value)).status).toBe(400);
    expect((await setPasswordLogin('admins')).status).toBe(200);
    expect(await read()).toBe('admins');
  });

  it('refuse others after the right password, who sign in with a passkey (AU-46)', async () => {
    const member = await server.member();
    const { device } = await addPasskey(member.client);
    await setPasswordLogin('admins');
    expect((await login(ADMIN.username, ADMIN.password)).status).toBe(200);
    expect(errorOf(await login(member.username, 'not this one')).code).toBe('invalid_credentials');
    const refused = errorOf(await login(member.username));
    expect([refused.statusCode, refused.code]).toEqual([403, 'forbidden']);
    expect((await passkeyLogin(server.client(), device)).status).toBe(200);
    // Sessions stay.
    expect((await member.client.get('/api/user')).status).toBe(200);
  });

  it('leave others their last passkey, with which alone they sign in', async () => {
    const { client } = await server.member();
    const [one, two] = [await addPasskey(client, 'One'), await addPasskey(client, 'Two')];
    await setPasswordLogin('admins');
    const remove = (id: number) => client.delete(`/api/user/passkeys/${id}`, { password: PASSWORD });
    expect((await remove(one.id)).status).toBe(200);
    const refused = errorOf(await remove(two.id));
    expect([refused.statusCode, refused.code]).toEqual([409, 'last_login_method']);
    expect((await passkeyLogin(server.client(), two.device)).status).toBe(200);
    await setPasswordLogin('everyone');
    expect((await remove(two.id)).status).toBe(200);
  });

  it('close registration, also for invitations', async () => {
    const { url } = (await admin.post<CreatedInvitation>('/api/admin/invitations', {})).body;
    const invitation = new URL(url).searchParams.get('invitation')!;
    await setPasswordLogin('admins');
    for (const fields of [{}, { invitation }]) {
      const body = { username: `new-${randomUUID()}`, password: PASSWORD, ...fields };
      expect((await server.client().post('/api/register', body)).status).toBe(403);
    }
    await setPasswordLogin('everyone');
    const body = { username: `new-${randomUUID()}`, password: PASSWORD, invitation };
    expect((await server.client().post('/api/register', body)).status).toBe(201);
  });

  it('refuse to reset the password of others', async () => {
    const [email, adminEmail] = ['member@example.org', 'Boss@example.org'];
    const { user } = await server.member({ email });
    await server.member({ email: adminEmail, isAdmin: true });
    expect((await ask(email)).status).toBe(200);
    const token = /token=([\w-]+)/.exec((await mail.mailTo(email)).text)![1]!;
    await setPasswordLogin('admins');
    const confirm = () =>
      server.client().post('/api/password-reset/confirm', { token, newPassword: 'another quiet harbour' });
    expect((await confirm()).status).toBe(403);
    expect((await ask(email)).status).toBe(403);
    expect((await ask('nobody@example.org')).status).toBe(403);
    expect((await ask(adminEmail.toLowerCase())).status).toBe(200);
    await mail.mailTo(adminEmail);
    const byAdmin = { newPassword: 'another quiet harbour' };
    expect((await admin.post(`/api/admin/users/${user.id}/reset-password`, byAdmin)).status).toBe(403);
    await setPasswordLogin('everyone');
    expect((await confirm()).status).toBe(200);
  });

  it('refuse one that an admin sets for others', async () => {
    const { user } = await server.member();
    await setPasswordLogin('admins');
    const changed = async (changes: object) => (await admin.patch(`/api/admin/users/${user.id}`, changes)).status;
    const password = 'another quiet harbour';
    expect([await changed({ password }), await changed({ password, isAdmin: true })]).toEqual([403, 200]);
    expect([await changed({ password, isAdmin: false }), await changed({ isAdmin: false })]).toEqual([403, 200]);
  });

  it('need an active admin with a password', async () => {
    const statuses: number[] = [];
    const without = async (change: string) => {
      await server.dataSource.query(`create table kept as select * from "user"`);
      await server.dataSource.query(`update "user" set ${change} where is_admin`);
      statuses.push((await setPasswordLogin('admins')).status);
      await server.dataSource.query(
        `update "user" u set password_hash = k.password_hash, is_suspended = k.is_suspended
         from kept k where k.id = u.id`,
      );
      await server.dataSource.query('drop table kept');
    };
    await without(`password_hash = 'none'`);
    expect(statuses).toEqual([409]);
    const [{ stored }] = await server.dataSource.query<[{ stored: string }]>(
      `select coalesce(changed ->> 'passwordLogin', 'everyone') as stored from setting`,
    );
    expect(stored).toBe('everyone');
    // Other settings are saved.
    expect((await admin.patch('/api/admin/general-settings', { siteTitle: 'Tanya' })).status).toBe(200);
  });

  it('keep an active admin with a password', async () => {
    const { user } = await server.member({ isAdmin: true });
    await server.dataSource.query(`update "user" set password_hash = 'none' where is_admin and username <> $1`, [
      ADMIN.username,
    ]);
    const { id } = (await admin.get<User>('/api/user')).body;
    const users = server.app.get(UsersService);
    await setPasswordLogin('admins');
    for (const change of [{ isAdmin: false }, { isSuspended: true }])
      await expect(users.update(id, change)).rejects.toMatchObject({ code: 'conflict' });
    await expect(users.remove(id)).rejects.toMatchObject({ code: 'conflict' });
    // Another one may go.
    await users.update(user.id, { isAdmin: false });
  });
});
