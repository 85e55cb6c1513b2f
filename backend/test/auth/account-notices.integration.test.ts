import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { SecretBox } from '../../src/platform/secrets/secret-box.js';
import type { HttpClient } from '../harness/http-client.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';
import { addPasskey, passkeyLogin } from './passkey-device.js';
import { enrolledMember } from './totp-harness.js';

let mail: MailServer;
let server: TestApp;

beforeAll(async () => {
  mail = await MailServer.start();
  server = await startTestApp({ env: { smtp: mail.smtp } });
});

beforeEach(() => {
  mail.behaviour = 'accept';
});

afterAll(async () => {
  await server.close();
  await mail.close();
});

/** An account that was registered a day ago with the browser of its client. */
async function oldMember(
  email = `${randomUUID()}@example.com`,
): Promise<{ client: HttpClient; userId: number; username: string; email: string }> {
  const { client, user, username } = await server.member({ email });
  await server.dataSource.query(`update "user" set created_at = created_at - interval '1 day' where id = $1`, [
    user.id,
  ]);
  return { client, userId: user.id, username, email };
}

const logIn = (client: HttpClient, username: string, password = PASSWORD) =>
  client.post('/api/login', { username, password });

const mailsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address));

describe('a mail about a login', () => {
  it('comes for a browser that the account did not use before, once', async () => {
    const { client, username, email } = await oldMember();
    expect((await logIn(client, username)).status).toBe(200);
    const stranger = server.client('203.0.113.7');
    expect((await logIn(stranger, username)).status).toBe(200);
    const { text, headers } = await mail.mailTo(email);
    expect(headers.find((line) => line.startsWith('Subject:'))).toContain('New_login');
    expect(text).toContain(username);
    expect(text).toContain('203.0.113.7');
    expect(text).toContain('/account/security');
    await stranger.post('/api/logout');
    expect((await logIn(stranger, username)).status).toBe(200);
    const another = server.client('203.0.113.8');
    expect((await logIn(another, username)).status).toBe(200);
    expect((await mail.mailTo(email, 2)).text).toContain('203.0.113.8');
    expect(mailsTo(email)).toHaveLength(2);
  });

  it('comes for a passkey in a new browser, too, and names each account of a shared browser once', async () => {
    const [one, other] = [await oldMember(), await oldMember()];
    const { device } = await addPasskey(one.client);
    await mail.mailTo(one.email);
    const shared = server.client();
    expect((await passkeyLogin(shared, device)).status).toBe(200);
    expect((await mail.mailTo(one.email, 2)).text).toContain('signed in to your account');
    await shared.post('/api/logout');
    expect((await logIn(shared, other.username)).status).toBe(200);
    await mail.mailTo(other.email);
    await shared.post('/api/logout');
    expect((await logIn(shared, one.username)).status).toBe(200);
    expect((await logIn(server.client(), other.username)).status).toBe(200);
    await mail.mailTo(other.email, 2);
    expect(mailsTo(one.email)).toHaveLength(2);
  });

  it('names the browser, and repeats no text that the client invents', async () => {
    const { username, email } = await oldMember();
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    for (const userAgent of [firefox, 'Call 555 1234/1.0 x', 'See evil.example/1.0 x']) {
      const headers = { 'User-Agent': userAgent };
      const login = await server.client().post('/api/login', { username, password: PASSWORD }, { headers });
      expect(login.status).toBe(200);
    }
    await mail.mailTo(email, 3);
    const texts = mailsTo(email).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('Firefox · Windows'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('an unknown browser'))).toHaveLength(2);
    expect(texts.join()).not.toMatch(/555 1234|evil/);
  });

  it('does not come for the browser that registers, and an invented cookie makes no browser known', async () => {
    const email = `${randomUUID()}@example.com`;
    const { username } = await server.member({ email });
    await server.dataSource.query(`update "user" set created_at = created_at - interval '1 day' where email = $1`, [
      email,
    ]);
    const stranger = server.client();
    stranger.cookies.set('tanya.known', `${'a'.repeat(43)}.${'b'.repeat(3_000)}..=`);
    expect((await logIn(stranger, username)).status).toBe(200);
    await mail.mailTo(email);
    expect(mailsTo(email)).toHaveLength(1);
    expect(stranger.cookies.get('tanya.known')).toMatch(/^[\w-]{43}\.a{43}$/);
  });

  it('costs no work for each piece of an invented cookie', async () => {
    const { username } = await oldMember();
    const verify = jest.spyOn(server.app.get(SecretBox), 'verify');
    const stranger = server.client();
    const signature = 'a'.repeat(43);
    for (const cookie of ['a.'.repeat(7_000), `${signature}.`.repeat(300)]) {
      verify.mockClear();
      stranger.cookies.set('tanya.known', cookie);
      expect((await logIn(stranger, username)).status).toBe(200);
      const pieces = verify.mock.calls.filter(([text]) => text.startsWith('browser.'));
      expect(pieces.length).toBeLessThanOrEqual(10);
      expect(stranger.cookies.get('tanya.known')!.length).toBeLessThan(500);
    }
    verify.mockRestore();
  });
});

describe('a mail about a change of the account', () => {
  it('comes for a new passkey, a new password and a new address, at the old one', async () => {
    const { client, email } = await oldMember();
    await addPasskey(client, 'Call 555-1234');
    const added = (await mail.mailTo(email)).text;
    expect(added).toContain('A passkey was added');
    expect(added).not.toContain('555-1234');
    const change = { currentPassword: PASSWORD, newPassword: 'another quiet harbour' };
    expect((await client.post('/api/user/password', change)).status).toBe(200);
    expect((await mail.mailTo(email, 2)).text).toContain('The password of your account');
    const next = `${randomUUID()}@example.com`;
    const moved = await client.patch('/api/user', { email: next, currentPassword: 'another quiet harbour' });
    expect(moved.status).toBe(200);
    const { text } = await mail.mailTo(email, 3);
    expect(text).toContain('The address of your account');
    expect(text).not.toContain(next);
    // The same address again, and another name, are no change.
    await client.patch('/api/user', { email: next, fullName: 'Ayu Lestari' });
    await client.patch('/api/user', { email, currentPassword: 'another quiet harbour' });
    await mail.mailTo(next);
    expect(mailsTo(next)).toHaveLength(1);
  });

  it('comes when an administrator removes the second factor', async () => {
    const { client, user } = await enrolledMember(server);
    const email = `${randomUUID()}@example.com`;
    expect((await client.patch('/api/user', { email, currentPassword: PASSWORD })).status).toBe(200);
    const admin = await server.admin();
    expect((await admin.post(`/api/admin/users/${user.id}/reset-totp`)).status).toBe(200);
    const { text } = await mail.mailTo(email);
    expect(text).toMatch(/Two-factor login was turned off for [^.]+ by an administrator\./);
  });

  it('comes when an administrator sets a password or an address, at the old one (ASVS 6.4.6)', async () => {
    const { userId, email } = await oldMember();
    const admin = await server.admin();
    const change = (fields: object) => admin.patch(`/api/admin/users/${userId}`, fields);
    expect((await change({ password: 'a harbour of the admin' })).status).toBe(200);
    expect((await mail.mailTo(email)).text).toMatch(/The password of [^.]+ was changed by an administrator\./);
    const reset = await admin.post(`/api/admin/users/${userId}/reset-password`, {
      newPassword: 'another quiet harbour',
    });
    expect(reset.status).toBe(200);
    expect((await mail.mailTo(email, 2)).text).toContain('by an administrator');
    // Nothing that the person has to know, and a password that is refused.
    await change({ fullName: 'Ayu Lestari', email, isPremium: true });
    expect((await change({ password: 'password' })).status).toBe(400);
    const next = `${randomUUID()}@example.com`;
    expect((await change({ email: next, password: 'a harbour that nobody knows' })).status).toBe(200);
    await mail.mailTo(email, 4);
    const texts = mailsTo(email).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('The password of'))).toHaveLength(3);
    expect(texts.filter((text) => text.includes('The address of'))).toHaveLength(1);
    expect(texts.join()).not.toMatch(/harbour|@/);
    expect(mailsTo(next)).toEqual([]);
  });

  it('does not come for a change that is refused', async () => {
    const { client, email } = await oldMember();
    expect((await client.patch('/api/user', { email: 'x@example.com', currentPassword: 'wrong' })).status).toBe(401);
    await client.post('/api/user/password', { currentPassword: 'wrong', newPassword: 'another quiet harbour' });
    await addPasskey(client);
    await mail.mailTo(email);
    expect(mailsTo(email)).toHaveLength(1);
  });
});

it('no login and no change waits for a mail server that refuses or hangs', async () => {
  const { client, username } = await oldMember();
  for (const behaviour of ['refuse', 'hang'] as const) {
    mail.behaviour = behaviour;
    expect((await logIn(server.client(), username)).status).toBe(200);
    await addPasskey(client);
  }
  mail.resume();
});

describe('the number of mails', () => {
  /** More logins with new browsers than an account gets mails about. */
  async function logInOften(username: string): Promise<void> {
    for (let browsers = 0; browsers < 12; browsers += 1)
      expect((await logIn(server.client(), username)).status).toBe(200);
  }

  it('is bounded for an account', async () => {
    const { client, username, email } = await oldMember();
    await logInOften(username);
    // Of another kind, after those about logins.
    await addPasskey(client);
    await waitUntil('the mail about a passkey', () => mailsTo(email).some(({ text }) => text.includes('passkey')));
    await mail.mailTo(email, 11);
    expect(mailsTo(email)).toHaveLength(11);
  });

  it('is bounded for an address that several accounts have, however it is written', async () => {
    const { username, email } = await oldMember();
    const others = [await oldMember(email.toUpperCase()), await oldMember(email), await oldMember(email)];
    for (const each of [username, ...others.map((other) => other.username)]) await logInOften(each);
    await addPasskey(others[2]!.client);
    const all = () => mail.mails.filter(({ to }) => to.some((address) => address.toLowerCase() === email));
    await waitUntil('the mails', () => all().length >= 31 && all().some(({ text }) => text.includes('passkey')));
    expect(all()).toHaveLength(31);
  });
});
