import { randomUUID } from 'node:crypto';
import { createDatabase } from '../harness/postgres.js';
import { freePort } from '../harness/free-port.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';

const FROM = 'Tanya <tanya@example.org>';
const SETTINGS = '/api/admin/general-settings';

/** Port of the mail server of each test. */
let port: number;
let mail: MailServer;

/** For tests that leave no mail behind; the others start a server of their own. */
let shared: TestApp;

const start = (options: TestAppOptions = {}, url = `smtp://127.0.0.1:${port}`) =>
  startTestApp({ timings: { mailRetry: 100 }, ...options, env: { smtp: { url, from: FROM } } });

/** Between a mail's first attempt and its last one are 30 s, in which a test starts a server. */
const PATIENT = { timings: { mailRetry: 2_000 } };

beforeAll(async () => {
  port = await freePort();
  shared = await start();
});

beforeEach(async () => {
  mail = await MailServer.start(port);
});

afterEach(() => mail.close());

afterAll(() => shared.close());

const ask = (server: TestApp, email: string) => server.client().post('/api/password-reset', { email });

const waiting = async (server: TestApp) =>
  server.dataSource.query<{ attempts: number }[]>('select attempts from password_reset_request');

const emptied = (server: TestApp) => waitUntil('an empty queue', async () => (await waiting(server)).length === 0);

describe('the mail of a password reset', () => {
  it('has a text and an HTML part with escaped names (AU-15)', async () => {
    const admin = await shared.admin();
    expect((await admin.patch(SETTINGS, { siteTitle: '<b>Chat & more</b>' })).status).toBe(200);
    const username = `"><img src=x> ${Date.now()}`;
    await shared.member({ email: 'html@example.com', username });
    await ask(shared, 'html@example.com');
    const { text, html, headers } = await mail.mailTo('html@example.com');
    expect(text).toContain(username);
    expect(text).toContain('30 minutes');
    expect(html).not.toMatch(/<img|<b>/);
    expect(html).toContain('&quot;&gt;&lt;img src=x&gt;');
    expect(headers.find((line) => /^content-type/i.test(line))).toContain('multipart/alternative');
    expect(headers).toContain(`From: ${FROM}`);
    expect(headers).toContain('Auto-Submitted: auto-generated');
    await emptied(shared);
  });

  it.each([
    'Chat\r\nBcc: thief@example.net',
    'Chat\nBcc: thief@example.net\n\nbody',
    'Chat\u2028Bcc: thief@example.net',
  ])('keeps its headers when the site title is %j (AU-15)', async (siteTitle) => {
    const admin = await shared.admin();
    expect((await admin.patch(SETTINGS, { siteTitle })).status).toBe(200);
    const email = `${randomUUID()}@example.com`;
    await shared.member({ email });
    await ask(shared, email);
    const { to, headers } = await mail.mailTo(email);
    expect(to).toEqual([email]);
    expect(headers.filter((line) => /^(bcc|cc):/i.test(line))).toEqual([]);
    await emptied(shared);
  });

  it.each([
    'a@example.com,b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    '<b@example.com>',
    'A <a@example.com>',
  ])('is not requested for %j (AU-15)', async (email) => {
    expect((await ask(shared, email)).status).toBe(400);
    expect(await waiting(shared)).toEqual([]);
  });

  it('is sent when the mail server is back (AU-15)', async () => {
    const later = await freePort();
    const server = await start(PATIENT, `smtp://127.0.0.1:${later}`);
    await server.member({ email: 'ayu@example.com' });
    expect((await ask(server, 'ayu@example.com')).status).toBe(200);
    await waitUntil('a failed attempt', async () => ((await waiting(server))[0]?.attempts ?? 0) >= 1);
    const back = await MailServer.start(later);
    await back.mailTo('ayu@example.com');
    await server.close();
    await back.close();
  });

  it('is retried while the server refuses it, and then sent once (AU-15)', async () => {
    mail.refusals.set('ayu@example.com', 2);
    const server = await start();
    await server.member({ email: 'ayu@example.com' });
    await ask(server, 'ayu@example.com');
    await mail.mailTo('ayu@example.com');
    await emptied(server);
    expect(mail.mails).toHaveLength(1);
    expect(mail.connections).toBe(3);
    await server.close();
  });

  it('is sent once to each account of an address while one of them is refused (AU-15)', async () => {
    mail.refusals.set('ayu@example.com', 2);
    const server = await start();
    await server.member({ email: 'ayu@example.com' });
    await server.member({ email: 'Ayu@example.com' });
    await ask(server, 'ayu@example.com');
    await mail.mailTo('ayu@example.com');
    await emptied(server);
    expect(mail.mails.map(({ to }) => to)).toEqual([['Ayu@example.com'], ['ayu@example.com']]);
    await server.close();
  });

  it('is given up after five attempts (AU-15)', async () => {
    mail.behaviour = 'refuse';
    const server = await start();
    await server.member({ email: 'ayu@example.com' });
    await ask(server, 'ayu@example.com');
    await emptied(server);
    expect(mail.connections).toBe(5);
    await server.close();
  });

  it('delays no response while the mail server hangs (AU-15)', async () => {
    mail.behaviour = 'hang';
    const server = await start();
    await server.member({ email: 'ayu@example.com' });
    await ask(server, 'ayu@example.com');
    await waitUntil('the connection', () => mail.connections > 0);
    // The first mail still waits for its greeting.
    expect((await ask(server, 'budi@example.com')).status).toBe(200);
    expect((await waiting(server)).length).toBeGreaterThan(0);
    mail.resume();
    await server.close();
  });

  it('survives a restart of the server (AU-15)', async () => {
    const database = await createDatabase();
    const before = await start({ ...PATIENT, database }, `smtp://127.0.0.1:${await freePort()}`);
    await before.member({ email: 'ayu@example.com' });
    await ask(before, 'ayu@example.com');
    await before.close();
    const after = await start({ ...PATIENT, database });
    await mail.mailTo('ayu@example.com');
    await after.close();
    await database.drop();
  });
});
