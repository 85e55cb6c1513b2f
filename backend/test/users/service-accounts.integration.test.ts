import type { AdminUser } from '@tanya/contract';
import { PasswordsService } from '../../src/users/passwords.service.js';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

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

const PATH = '/api/admin/users';

const create = (fields: object) => admin.post<AdminUser>(PATH, { isService: true, ...fields });

const login = async (username: string, password = PASSWORD) => {
  const answer = await server.client().post('/api/login', { username, password });
  return [answer.status, answer.status === 200 ? null : errorOf(answer).code];
};

describe('a service account', () => {
  it('is made from a name alone, stays one and is listed as one', async () => {
    const { status, body } = await create({ username: 'nightly-report', isPremium: true });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ isService: true, isAdmin: false, isPremium: true, isApproved: true }),
    ]);
    const [listed] = (await admin.get<AdminUser[]>(`${PATH}?query=nightly-report`)).body;
    expect(listed).toEqual(body);
    const person = await admin.patch(`${PATH}/${body.id}`, { isService: false });
    expect(person.status).toBe(400);
    expect((await admin.patch<AdminUser>(`${PATH}/${body.id}`, { fullName: 'Reports' })).body.isService).toBe(true);
    expect((await admin.delete(`${PATH}/${body.id}`)).status).toBe(200);
    expect((await admin.get(`${PATH}?query=nightly-report`)).body).toEqual([]);
  });

  it.each([
    ['password', { username: 'service-with-password', password: PASSWORD }],
    ['isAdmin', { username: 'service-admin', isAdmin: true }],
    ['isService', { username: 'service-text', isService: 'true', password: PASSWORD }],
    ['password', { username: 'a-person', isService: false }],
    ['password', { username: 'a-person', isService: null }],
  ])('is refused with a wrong %s', async (field, fields) => {
    const answer = await create(fields);
    expect([answer.status, refusedField(answer)]).toEqual([400, field]);
  });

  it('gets neither admin rights nor a password later (AU-23)', async () => {
    const { id } = (await create({ username: 'service-later' })).body;
    const refused = [
      await admin.patch(`${PATH}/${id}`, { isAdmin: true }),
      await admin.patch(`${PATH}/${id}`, { password: PASSWORD }),
      await admin.post(`${PATH}/${id}/reset-password`, { newPassword: PASSWORD }),
    ];
    expect(refused.map((answer) => [answer.status, errorOf(answer).code])).toEqual(Array(3).fill([409, 'conflict']));
    await expect(server.dataSource.query('update "user" set is_admin = true where id = $1', [id])).rejects.toThrow(
      'user_service_admin',
    );
    expect((await admin.patch<AdminUser>(`${PATH}/${id}`, { isAdmin: false })).body.isAdmin).toBe(false);
  });

  it('signs in by no name, address or link, and leaves its address to people (AU-23)', async () => {
    const email = 'reports@example.com';
    await create({ username: 'service-mail', email });
    for (const password of [PASSWORD, 'service'])
      expect(await login('service-mail', password)).toEqual([401, 'invalid_credentials']);
    expect(await login(email)).toEqual([401, 'invalid_credentials']);
    const { user } = await server.member({ email });
    expect(await login(email)).toEqual([200, null]);
    await server.client().post('/api/password-reset', { email });
    const sent = await mail.mailTo(email);
    expect(sent.text).toContain(user.username);
    expect(sent.text).not.toContain('service-mail');
    expect(await server.dataSource.query('select user_id from password_reset')).toEqual([{ user_id: user.id }]);
  });

  it('has no session, also with a password in its row (AU-23)', async () => {
    const { client, user, username } = await server.member();
    expect((await client.get('/api/user')).status).toBe(200);
    const hash = await server.app.get(PasswordsService).hash(PASSWORD);
    await server.dataSource.query('update "user" set is_service = true, password_hash = $2 where id = $1', [
      user.id,
      hash,
    ]);
    expect((await client.get('/api/user')).status).toBe(401);
    expect(await login(username)).toEqual([401, 'invalid_credentials']);
  });
});
