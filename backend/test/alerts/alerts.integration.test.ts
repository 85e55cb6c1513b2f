import { createHmac, randomUUID } from 'node:crypto';
import type { AdminSettings, AlertTestResult } from '@tanya/contract';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';
import { WebhookReceiver } from './webhook-receiver.js';

const SECRET = 'a-secret-of-the-webhook';
const timings = { alertWatch: 50, alertRetry: 20 };

let database: TestDatabase;
let redis: TestRedis;
let mail: MailServer;
let receiver: WebhookReceiver;
let server: TestApp;
/** Another node. */
let other: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  database = await createDatabase();
  mail = await MailServer.start();
  redis = await startRedis();
  const env = { redisUrl: redis.url, smtp: mail.smtp };
  server = await startTestApp({ env, timings, database });
  other = await startTestApp({ env, timings, database });
  admin = await server.admin();
});

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  await save({ alertWebhookUrl: receiver.url, alertWebhookSecret: SECRET });
});

afterEach(async () => {
  await save({ alertWebhookUrl: '', alertEmail: '', installationBudgetUsd: null, registrationMode: 'open' });
  await receiver.close();
});

afterAll(async () => {
  await other.close();
  await server.close();
  await mail.close();
  await redis.stop();
  await database.drop();
});

const save = async (fields: object): Promise<void> => {
  expect((await admin.patch('/api/admin/general-settings', fields)).status).toBe(200);
};

const test = () => admin.post<AlertTestResult>('/api/admin/alerts/test', {});

const sql = <T>(text: string, values: unknown[] = []) => server.dataSource.query<T>(text, values);

/** The number of all calls once no alert waits and both nodes have looked again. */
async function settledCalls(): Promise<number> {
  await waitUntil('no alert waits', async () => {
    const [row] = await sql<[{ count: number }]>('select count(*)::int as count from alert where due_at is not null');
    return row.count === 0;
  });
  const before = receiver.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 4 * timings.alertWatch));
  expect(receiver.calls.length).toBe(before);
  return before;
}

describe('the test', () => {
  it('is signed over the raw body, at the whole address', async () => {
    expect((await test()).body).toEqual({ ok: true, webhook: { ok: true }, mail: null });
    const [{ path, headers, raw, alert }] = (await receiver.callsOf('test')) as [never];
    expect(path).toBe('/hook/?token=a%2Fb');
    expect(headers['x-tanya-signature']).toBe(`sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`);
    expect(headers['content-type']).toBe('application/json');
    expect(alert).toMatchObject({ kind: 'test', text: 'This is a test. Alerts arrive here.', details: {} });
  });

  it('is repeated with the same id and time until it is received, by any node, once', async () => {
    receiver.statuses = [500, 302, 404];
    expect((await test()).body).toMatchObject({ ok: false, webhook: { fault: 'http_error', status: 500 } });
    const calls = await receiver.callsOf('test', 4);
    expect(new Set(calls.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(calls.map(({ path }) => path)).size).toBe(1);
    expect(await settledCalls()).toBe(4);
  });

  it('goes to the mail address once, even where the webhook fails', async () => {
    const to = `alerts-${randomUUID()}@example.org`;
    await save({ alertEmail: to, alertWebhookUrl: '' });
    expect((await test()).body).toEqual({ ok: true, webhook: null, mail: { ok: true } });
    const { headers, text } = await mail.mailTo(to);
    expect(headers.find((line) => line.startsWith('Subject:'))).toContain('This is a test.');
    expect(text).toContain('This is a test. Alerts arrive here.');
    await settledCalls();
    expect(mail.mails.filter((one) => one.to.includes(to))).toHaveLength(1);
  });

  it('is refused while nobody is to be told, and for others than admins', async () => {
    await save({ alertWebhookUrl: '' });
    const refused = await test();
    expect([refused.status, errorOf(refused)]).toEqual([
      409,
      expect.objectContaining({ details: { params: { reason: 'alert_target' } } }),
    ]);
    expect((await (await server.member()).client.post('/api/admin/alerts/test', {})).status).toBe(403);
  });

  it('says why a webhook cannot be reached', async () => {
    await save({ alertWebhookUrl: 'http://127.0.0.1:9/', alertWebhookSecret: SECRET });
    expect((await test()).body.webhook).toEqual({ ok: false, fault: 'refused' });
  });
});

describe('the address (SSRF-9)', () => {
  it.each(['http://169.254.169.254/latest', 'http://user:pass@example.org/', 'ftp://example.org', 'example.org'])(
    'cannot be %s',
    async (alertWebhookUrl) => {
      const answer = await admin.patch('/api/admin/general-settings', { alertWebhookUrl, alertWebhookSecret: 'new' });
      expect(answer.status).toBe(400);
    },
  );

  it('demands the secret again when it changes, and shows the secret masked', async () => {
    const shown = (await admin.get<AdminSettings>('/api/general-settings')).body;
    expect(shown).toMatchObject({ alertWebhookUrl: receiver.url, alertWebhookSecret: '••••••••hook' });
    for (const fields of [{}, { alertWebhookSecret: shown.alertWebhookSecret }]) {
      const url = { alertWebhookUrl: 'https://elsewhere.example/' };
      const answer = await admin.patch('/api/admin/general-settings', { ...url, ...fields });
      expect([answer.status, refusedField(answer)]).toEqual([400, 'alertWebhookSecret']);
    }
    await save({ alertWebhookUrl: '' });
    expect((await admin.patch('/api/admin/general-settings', { alertWebhookUrl: receiver.url })).status).toBe(400);
    await save({ alertWebhookUrl: 'https://elsewhere.example/', alertWebhookSecret: 'another-secret' });
  });

  it.each(['nobody', 'a@b@c', 'x'.repeat(300)])('of mail cannot be %s', async (alertEmail) => {
    expect((await admin.patch('/api/admin/general-settings', { alertEmail })).status).toBe(400);
  });
});

describe('an alert', () => {
  it('tells once in a period that the budget is nearly and then wholly spent', async () => {
    await save({ installationBudgetUsd: '10', installationBudgetPeriod: 'never' });
    await sql(`insert into budget_account (scope, period, charged, carried) values ('installation', 'ever', 8.5, 8.5)
      on conflict (scope, period, slot) do update set charged = 8.5`);
    const [near] = await receiver.callsOf('budget_near');
    expect(near!.alert).toMatchObject({ details: { limitUsd: '10', spentUsd: '8.5' } });
    await sql(`update budget_account set held = 5 where scope = 'installation' and slot = 0`);
    expect(await settledCalls()).toBe(1);
    await sql(`update budget_account set charged = 10.01, held = 0 where scope = 'installation' and slot = 0`);
    await receiver.callsOf('budget_spent');
    expect(await settledCalls()).toBe(2);
    // A month later it is still spent, and what is over is forgotten.
    await sql(`update alert set created_at = now() - interval '31 days'`);
    await sql(
      `insert into alert (id, kind, occasion, created_at) values (gen_random_uuid(), 'backup_failed', 'over', now() - interval '31 days')`,
    );
    await waitUntil(
      'the end of old alerts',
      async () => (await sql<[]>(`select from alert where occasion = 'over'`)).length === 0,
    );
    expect(await settledCalls()).toBe(2);
  });

  it('tells of a connection that fails for five minutes, and that it answers again', async () => {
    await sql(`update provider_connection set failing_since = now() - interval '4 minutes 30 seconds' where id = 1`);
    expect(await settledCalls()).toBe(0);
    await sql(`update provider_connection set failing_since = now() - interval '6 minutes' where id = 1`);
    const [failing] = await receiver.callsOf('connection_failing');
    expect(failing!.alert.details).toMatchObject({ connectionId: 1, connection: 'OpenRouter' });
    await sql('update provider_connection set failing_since = null where id = 1');
    await receiver.callsOf('connection_recovered');
    expect(await settledCalls()).toBe(2);
  });

  it('tells how many accounts wait, without their names', async () => {
    await save({ registrationMode: 'approval' });
    const username = `waiting-${randomUUID()}`;
    const form = {
      username,
      password: 'a quiet harbour at noon',
      email: 'w@example.org',
      phoneNumber: '+62 812 0000 0000',
    };
    expect((await server.client().post('/api/register', form)).status).toBe(403);
    const [{ alert, raw }] = (await receiver.callsOf('registrations_waiting')) as [never];
    expect(alert).toMatchObject({ text: '1 account waits for approval.', details: { count: 1 } });
    expect(raw).not.toMatch(/waiting-|example\.org/);
    expect(await settledCalls()).toBe(1);
  });

  it('tells which tools of a server have changed', async () => {
    const [{ id }] = await sql<[{ id: number }]>(
      `insert into tool_server (name, slug, url, plans)
       values ('Weather', 'weather', 'http://127.0.0.1:9/', '{free}') returning id`,
    );
    await sql(
      `insert into server_tool (server_id, name, tool_name, position, accepted, accepted_hash, changed, changed_hash)
       values ($1, 'forecast', 'weather_forecast', 0, '{}', 'a', '{}', 'b')`,
      [id],
    );
    const [{ alert }] = (await receiver.callsOf('tools_changed')) as [never];
    expect(alert).toMatchObject({ details: { serverId: id, server: 'Weather', tools: ['forecast'] } });
    await sql(`update server_tool set changed_hash = 'c' where server_id = $1`, [id]);
    await receiver.callsOf('tools_changed', 2);
    expect(await settledCalls()).toBe(2);
  });

  it('arrives after the node that claimed it has died', async () => {
    await sql(
      `insert into alert (id, kind, occasion, attempts, due_at) values (gen_random_uuid(), 'backup_failed', $1, 1, now() - interval '1 second')`,
      [randomUUID()],
    );
    const [{ alert }] = (await receiver.callsOf('backup_failed')) as [never];
    expect(alert).toMatchObject({ text: 'A backup failed. Its output says why.' });
  });

  it('is given up after a day', async () => {
    receiver.statuses = Array.from({ length: 50 }, () => 500);
    await sql(
      `insert into alert (id, kind, occasion, created_at, due_at) values (gen_random_uuid(), 'backup_failed', $1, now() - interval '25 hours', now())`,
      [randomUUID()],
    );
    await receiver.callsOf('backup_failed');
    expect(await settledCalls()).toBe(1);
  });

  it('is one of a thousand that all arrive, although the receiver hangs at first', async () => {
    receiver.statuses = [0, 503];
    await sql(
      `insert into alert (id, kind, occasion, due_at) select gen_random_uuid(), 'backup_failed', gen_random_uuid(), now() from generate_series(1, 1000)`,
    );
    const arrived = (): number => new Set(receiver.calls.map(({ alert }) => alert.id)).size;
    await waitUntil('a thousand alerts', () => arrived() === 1000, arrived);
  });
});
