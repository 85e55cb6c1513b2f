import { LIMITS } from '@tanya/contract';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { MailServer, type ReceivedMail } from '../harness/servers/mail-server.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { enrol } from './totp-harness.js';

const NEW = 'an even quieter harbour';
const SITE = new URL('http://chat.example.org');

let mail: MailServer;
let server: TestApp;

beforeAll(async () => {
  mail = await MailServer.start();
  server = await startTestApp({ env: { smtp: mail.smtp } });
});

afterAll(async () => {
  await server.close();
  await mail.close();
});

let count = 0;
const address = () => `person-${(count += 1)}@example.com`;

const ask = (email: string, client = server.client()) => client.post('/api/password-reset', { email });
const confirm = (token: string, newPassword = NEW, client = server.client()) =>
  client.post('/api/password-reset/confirm', { token, newPassword });
const login = (username: string, password: string) => server.client().post('/api/login', { username, password });

function tokenIn({ text }: ReceivedMail): string {
  return /reset-password\?token=([\w-]+)/.exec(text)![1]!;
}

/** Requests a link and reads its token from the mail number `number` to this address. */
async function tokenFor(email: string, number = 1): Promise<string> {
  expect((await ask(email)).status).toBe(200);
  return tokenIn(await mail.mailTo(email, number));
}

describe('a password reset', () => {
  it('mails a link that sets a new password (AU-13)', async () => {
    const email = address();
    const { username } = await server.member({ email });
    const token = await tokenFor(email);
    expect((await confirm(token)).status).toBe(200);
    expect((await login(username, PASSWORD)).status).toBe(401);
    expect((await login(username, NEW)).status).toBe(200);
  });

  it('ends the API keys of the account if that is asked', async () => {
    const email = address();
    const { client } = await server.member({ email });
    const { apiKey } = (await client.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
    const status = async () =>
      (await server.client().get('/api/v1/models', { headers: { Authorization: `Bearer ${apiKey}` } })).status;
    expect((await confirm(await tokenFor(email))).status).toBe(200);
    expect(await status()).toBe(200);
    expect((await mail.mailTo(email, 2)).text).toContain('The password of your account');
    const body = { token: await tokenFor(email, 3), newPassword: NEW, endApiKeys: true };
    expect((await server.client().post('/api/password-reset/confirm', body)).status).toBe(200);
    expect(await status()).toBe(401);
  });

  it('finds the address in any case and mails the stored spelling alone (AU-13)', async () => {
    const email = `Ayu.${address()}`;
    await server.member({ email });
    await ask(email.toUpperCase());
    expect((await mail.mailTo(email)).to).toEqual([email]);
  });

  it('gives known and unknown addresses the same response, and unknown ones no mail (AU-14)', async () => {
    const [known, unknown] = [address(), address()];
    await server.member({ email: known });
    const answers = [await ask(unknown), await ask(known)];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '{"ok":true}'],
      [200, '{"ok":true}'],
    ]);
    await mail.mailTo(known);
    expect(mail.mails.filter(({ to }) => to.includes(unknown))).toEqual([]);
  });

  it('mails the address of each account, with its name (AU-13)', async () => {
    const email = address();
    const members = [await server.member({ email }), await server.member({ email })];
    await ask(email);
    const texts = [(await mail.mailTo(email, 1)).text, (await mail.mailTo(email, 2)).text];
    for (const { username } of members) expect(texts.filter((text) => text.includes(username))).toHaveLength(1);
  });

  it('reaches an account that is used beside older ones with its address (AU-13)', async () => {
    const email = address();
    for (let older = 0; older < 5; older += 1) await server.member({ email });
    const { username, user } = await server.member({ email });
    await server.dataSource.query('update "user" set message_count = 1 where id = $1', [user.id]);
    await ask(email);
    await mail.mailTo(email, 4);
    const texts = mail.mails.filter(({ to }) => to.includes(email)).map(({ text }) => text);
    expect(texts.filter((text) => text.includes(username))).toHaveLength(1);
  });

  it('reaches an older account beside newer ones that are used more (AU-13)', async () => {
    const email = address();
    const { username } = await server.member({ email });
    for (let newer = 0; newer < 6; newer += 1) {
      const { user } = await server.member({ email });
      await server.dataSource.query('update "user" set message_count = $2 where id = $1', [user.id, 4 + newer]);
    }
    await ask(email);
    await mail.mailTo(email, 6);
    const texts = mail.mails.filter(({ to }) => to.includes(email)).map(({ text }) => text);
    expect(texts).toHaveLength(6);
    expect(texts.filter((text) => text.includes(username))).toHaveLength(1);
  });

  it('stores tokens as hashes (AU-13)', async () => {
    const email = address();
    await server.member({ email });
    const token = await tokenFor(email);
    const rows = await server.dataSource.query<object[]>('select * from password_reset');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  it('succeeds once under concurrent confirmations (AU-13)', async () => {
    const email = address();
    const { username } = await server.member({ email });
    const token = await tokenFor(email);
    const passwords = Array.from({ length: 6 }, (_, at) => `${NEW} ${at}`);
    const answers = await Promise.all(passwords.map((password) => confirm(token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    const chosen = passwords[answers.findIndex(({ status }) => status === 200)]!;
    expect((await login(username, chosen)).status).toBe(200);
    expect(errorOf(await confirm(token)).code).toBe('reset_invalid');
  });

  it('accepts the newest link alone (AU-13)', async () => {
    const email = address();
    await server.member({ email });
    const first = await tokenFor(email, 1);
    const second = await tokenFor(email, 2);
    expect(errorOf(await confirm(first))).toMatchObject({ code: 'reset_invalid', statusCode: 400 });
    expect((await confirm(second)).status).toBe(200);
  });

  it(`ends after ${LIMITS.resetMinutes} minutes (AU-13)`, async () => {
    const email = address();
    const { user } = await server.member({ email });
    const token = await tokenFor(email);
    const [row] = await server.dataSource.query<{ minutes: number }[]>(
      `select extract(epoch from expires_at - now())::float8 / 60 as minutes from password_reset where user_id = $1`,
      [user.id],
    );
    expect(Math.ceil(row!.minutes)).toBeLessThanOrEqual(LIMITS.resetMinutes);
    await server.dataSource.query(
      `update password_reset set expires_at = expires_at - interval '${LIMITS.resetMinutes} minutes' where user_id = $1`,
      [user.id],
    );
    expect(errorOf(await confirm(token)).code).toBe('reset_invalid');
  });

  const events: [string, (client: HttpClient) => Promise<unknown>][] = [
    [
      'a change of the password',
      (client) => client.post('/api/user/password', { currentPassword: PASSWORD, newPassword: `${NEW} own` }),
    ],
    ['a change of the address', (client) => client.patch('/api/user', { email: address(), currentPassword: PASSWORD })],
    ['a new second factor', (client) => enrol(client)],
    ['the deletion of the account', (client) => client.delete('/api/user', { password: PASSWORD })],
  ];

  it.each(events)('is invalid after %s (AU-13)', async (_, change) => {
    const email = address();
    const { client } = await server.member({ email });
    const token = await tokenFor(email);
    await change(client);
    expect(errorOf(await confirm(token)).code).toBe('reset_invalid');
  });

  it('ends all sessions and sockets, and keeps the second factor (AU-8, AU-13)', async () => {
    const email = address();
    const { client, username } = await server.member({ email });
    await enrol(client);
    const page = await SocketClient.connect(client);
    const closed = new Promise<void>((resolve) => page.socket.once('disconnect', () => resolve()));
    const token = await tokenFor(email);
    expect((await confirm(token)).status).toBe(200);
    await closed;
    expect((await client.get('/api/user')).status).toBe(401);
    expect(errorOf(await login(username, NEW)).code).toBe('totp_required');
  });

  it('refuses unknown tokens and weak passwords, and keeps the link after a weak one (AU-2, AU-13)', async () => {
    const email = address();
    await server.member({ email });
    const token = await tokenFor(email);
    for (const password of ['short', 'password1', 'x'.repeat(129)]) {
      expect(refusedField(await confirm(token, password))).toBe('newPassword');
    }
    for (const wrong of ['', 'x', `${token}x`, 'x'.repeat(101)])
      expect(errorOf(await confirm(wrong)).code).toBe('reset_invalid');
    expect(errorOf(await server.client().post('/api/password-reset', { email: 'nowhere' })).code).toBe('invalid');
    expect((await confirm(token)).status).toBe(200);
  });

  it('mails an address at most five times an hour, with the same response beyond (AU-14, LIM-10)', async () => {
    const [known, unknown] = [`siti.${address()}`, `siti.${address()}`];
    await server.member({ email: known });
    for (const email of [known, unknown]) {
      // Postgres takes İ for i.
      const spellings = [email, email.toUpperCase(), email.replace('i', 'İ')];
      for (let sent = 0; sent < 9; sent += 1) {
        const answer = await ask(spellings[sent % 3]!);
        expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
      }
    }
    await mail.mailTo(known, 5);
    // Requests are worked off in their order, so a later mail proves that no sixth one follows.
    const later = address();
    await server.member({ email: later });
    await tokenFor(later);
    expect(mail.mails.filter(({ to }) => to.includes(known))).toHaveLength(5);
  });

  it('is limited per client (LIM-10)', async () => {
    const client = server.client();
    for (let sent = 0; sent < 60; sent += 1) expect((await ask(address(), client)).status).toBe(200);
    const refused = await ask(address(), client);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (let tries = 0; tries < 30; tries += 1) expect((await confirm('x', NEW, client)).status).toBe(400);
    expect((await confirm('x', NEW, client)).status).toBe(429);
  });
});

describe('a mailed link', () => {
  it('has the public address, whatever Host the request named (AU-13)', async () => {
    const own = await startTestApp({ env: { smtp: server.env.smtp, publicUrl: SITE } });
    const email = address();
    await own.member({ email });
    await own.client().post('/api/password-reset', { email }, { headers: { 'X-Forwarded-Host': 'evil.example' } });
    const { text, html } = await mail.mailTo(email);
    for (const body of [text, html]) {
      expect(body).toContain('http://chat.example.org/reset-password?token=');
      expect(body).not.toContain('evil.example');
    }
    await own.close();
  });
});

describe('without SMTP_URL', () => {
  it('both calls answer 404, and the settings report it', async () => {
    const silent = await startTestApp();
    const client = silent.client();
    expect((await client.post('/api/password-reset', { email: address() })).status).toBe(404);
    const confirmation = { token: 'x', newPassword: NEW };
    expect((await client.post('/api/password-reset/confirm', confirmation)).status).toBe(404);
    const enabled = async (app: TestApp) =>
      (await app.client().get<{ passwordReset: boolean }>('/api/general-settings')).body.passwordReset;
    expect([await enabled(silent), await enabled(server)]).toEqual([false, true]);
    await silent.close();
  });
});
