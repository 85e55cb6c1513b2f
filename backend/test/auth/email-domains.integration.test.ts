import type { AdminUser, ConfirmEmailResponse, PublicSettings } from '@tanya/contract';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits.js';
import { sha256Hex } from '../../src/platform/secrets/sha256.js';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { eventually, waitUntil } from '../harness/wait-until.js';

let mail: MailServer;
let server: TestApp;
let admin: HttpClient;

const set = (client: HttpClient, changes: object) => client.patch('/api/admin/general-settings', changes);

beforeAll(async () => {
  mail = await MailServer.start();
  server = await startTestApp({ env: { smtp: mail.smtp } });
  admin = await server.admin();
});

beforeEach(async () => {
  const changes = {
    registrationMode: 'open',
    allowedEmailDomains: ['Example.com', 'example.com', 'staff.example.org'],
  };
  expect((await set(admin, changes)).status).toBe(200);
  mail.behaviour = 'accept';
});

afterAll(async () => {
  await server.close();
  await mail.close();
});

let count = 0;

function newcomer() {
  count += 1;
  return { username: `newcomer-${count}`, password: PASSWORD, email: `newcomer-${count}@example.com` };
}

const register = (credentials: object, browser = server.client()) => browser.post('/api/register', credentials);

const login = ({ username, password }: ReturnType<typeof newcomer>, browser = server.client()) =>
  browser.post('/api/login', { username, password });

const confirm = (browser: HttpClient, body: object) =>
  browser.post<ConfirmEmailResponse>('/api/register/confirm', body);

const mailsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address));

/** The token of the newest link that was mailed to an address. */
async function tokenOf(email: string): Promise<string> {
  await waitUntil('the mail', () => mailsTo(email).length > 0);
  const [, token] = /\/register\?confirm=([\w-]+)/.exec(mailsTo(email).at(-1)!.text)!;
  return token!;
}

/** Status, code and reason of a refusal. */
async function refusalOf(answer: ReturnType<typeof register>) {
  const { status, body } = await answer;
  const { code, details } = body as { code: string; details?: { params?: { reason?: string } } };
  return [status, code, details?.params?.reason];
}

describe('allowed domains', () => {
  it('are a public setting in lower case, each once', async () => {
    const { body } = await server.client().get<PublicSettings>('/api/general-settings');
    expect(body.allowedEmailDomains).toEqual(['example.com', 'staff.example.org']);
    for (const domains of [
      ['example'],
      ['@example.com'],
      'example.com',
      [5],
      ['a/b.example'],
      Array(101).fill('a.example'),
    ])
      expect((await set(admin, { allowedEmailDomains: domains })).status).toBe(400);
  });

  it.each([undefined, 'ayu@example.org', 'ayu@sub.example.com', 'ayu@example.com.evil.net'])(
    'refuse a registration with the address %s (AU-12)',
    async (email) => {
      const answer = await register({ ...newcomer(), email });
      expect([answer.status, refusedField(answer)]).toEqual([400, 'email']);
    },
  );

  it('are not proven by an address that a mail server may deliver elsewhere (AU-12)', async () => {
    for (const email of [
      '"thief@evil.example x"@example.com',
      'thief%evil.example@example.com',
      'evil.example!a@example.com',
    ])
      expect(refusedField(await register({ ...newcomer(), email }))).toBe('email');
    expect(mail.mails.filter(({ to }) => to.some((address) => address.includes('thief')))).toEqual([]);
  });

  it('let an account wait until its link is opened in the browser that registered', async () => {
    const browser = server.client();
    await browser.get('/api/session');
    const credentials = newcomer();
    expect(await refusalOf(register(credentials, browser))).toEqual([403, 'account_pending', 'email']);
    const token = await tokenOf(credentials.email);
    expect(await refusalOf(login(credentials))).toEqual([403, 'account_pending', 'email']);
    expect((await confirm(browser, { token })).body).toEqual({ isConfirmed: true });
    expect((await login(credentials, browser)).status).toBe(200);
    expect(errorOf(await confirm(browser, { token })).code).toBe('confirmation_invalid');
    // The login above came too soon for a second mail.
    expect(mailsTo(credentials.email)).toHaveLength(1);
  });

  it('ask in another browser, such as that of a mail scanner, for a press of a button (AU-12)', async () => {
    const credentials = newcomer();
    await register(credentials);
    const token = await tokenOf(credentials.email);
    const scanner = server.client();
    expect((await confirm(scanner, { token })).body).toEqual({ isConfirmed: false });
    expect((await login(credentials)).status).toBe(403);
    expect((await confirm(scanner, { token, isPressed: true })).body).toEqual({ isConfirmed: true });
    expect((await login(credentials)).status).toBe(200);
  });

  it('confirm no other address than the one that was mailed', async () => {
    const credentials = newcomer();
    await register(credentials);
    const token = await tokenOf(credentials.email);
    const [user] = (await admin.get<AdminUser[]>(`/api/admin/users?query=${credentials.username}`)).body;
    await admin.patch(`/api/admin/users/${user!.id}`, { email: 'other@example.com' });
    for (const tried of [token, 'unknown', ''])
      expect(errorOf(await confirm(server.client(), { token: tried, isPressed: true })).code).toBe(
        'confirmation_invalid',
      );
  });

  it('send the link again at a login when the mail server was away', async () => {
    const credentials = newcomer();
    mail.behaviour = 'refuse';
    await register(credentials);
    const links = () =>
      server.dataSource.query<{ isMailed: boolean }[]>(
        `select token_hash is not null as "isMailed" from email_confirmation c join "user" u on u.id = c.user_id where username = $1`,
        [credentials.username],
      );
    await eventually(async () => expect(await links()).toEqual([{ isMailed: false }]));
    mail.behaviour = 'accept';
    await eventually(async () => {
      expect((await login(credentials)).status).toBe(403);
      expect(mailsTo(credentials.email)).toHaveLength(1);
    });
    const token = await tokenOf(credentials.email);
    expect((await confirm(server.client(), { token, isPressed: true })).body.isConfirmed).toBe(true);
  });

  it('keep the last link when no other one can be mailed', async () => {
    const credentials = newcomer();
    await register(credentials);
    const token = await tokenOf(credentials.email);
    const later = () =>
      server.dataSource.query(
        `update email_confirmation set expires_at = now() + interval '40 hours' where email = $1`,
        [credentials.email],
      );
    const kept = async () => {
      await later();
      expect((await login(credentials)).status).toBe(403);
      await eventually(async () => {
        const rows = await server.dataSource.query<{ hash: string }[]>(
          `select token_hash as hash from email_confirmation where email = $1 and expires_at < now() + interval '41 hours'`,
          [credentials.email],
        );
        expect(rows).toEqual([{ hash: sha256Hex(token) }]);
      });
    };
    mail.behaviour = 'refuse';
    await kept();
    mail.behaviour = 'accept';
    const limits = jest.spyOn(server.app.get(RateLimits), 'tryConsume').mockResolvedValue(false);
    await kept();
    expect(limits).toHaveBeenCalledWith(expect.objectContaining({ name: 'confirm-email' }), credentials.email);
    limits.mockRestore();
    expect((await confirm(server.client(), { token, isPressed: true })).body.isConfirmed).toBe(true);
  });

  it('also approve by the link while an admin approves others, and not while registration is closed', async () => {
    await set(admin, { registrationMode: 'approval' });
    const credentials = newcomer();
    expect(await refusalOf(register(credentials))).toEqual([403, 'account_pending', 'email']);
    await confirm(server.client(), { token: await tokenOf(credentials.email), isPressed: true });
    expect((await login(credentials)).status).toBe(200);
    await set(admin, { registrationMode: 'closed' });
    expect(errorOf(await register(newcomer())).code).toBe('registration_closed');
  });

  it('do not bind invitations, nor accounts that admins make or approve', async () => {
    const { body } = await admin.post<{ url: string }>('/api/admin/invitations', {});
    const invitation = new URL(body.url).searchParams.get('invitation');
    expect((await register({ ...newcomer(), email: undefined, invitation })).status).toBe(201);
    const credentials = newcomer();
    await register(credentials);
    const [user] = (await admin.get<AdminUser[]>(`/api/admin/users?query=${credentials.username}`)).body;
    await admin.patch(`/api/admin/users/${user!.id}`, { isApproved: true });
    expect((await login(credentials)).status).toBe(200);
    expect((await admin.post('/api/admin/users', { username: 'made-by-admin', password: PASSWORD })).status).toBe(201);
  });
});

it('without a mail server an account waits for an admin', async () => {
  const alone = await startTestApp();
  const boss = await alone.admin();
  await set(boss, { allowedEmailDomains: ['example.com'] });
  const credentials = newcomer();
  const answer = await alone.client().post('/api/register', credentials);
  expect([answer.status, errorOf(answer).code]).toEqual([403, 'account_pending']);
  expect(answer.text).toContain('approval by an admin');
  await alone.close();
});
