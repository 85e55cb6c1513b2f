import type { AuditEntry } from '@tanya/contract';
import { ADMIN, PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';
import { enrolledMember } from './totp-harness.js';
import { codeOf } from '../harness/totp-codes.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp({ timings: { loginSweep: 100 } });
});

afterAll(() => server.close());

let count = 0;
const address = () => `10.66.0.${(count += 1)}`;

/** The entries of an address, the oldest first. */
async function loginsFrom(from: string): Promise<AuditEntry[]> {
  const admin = await server.admin();
  const { body } = await admin.get<AuditEntry[]>(`/api/admin/audit?target=login&query=${from}&limit=100`);
  return body.filter(({ address }) => address === from).toReversed();
}

const login = (from: string, username: string, password: string, code?: string) =>
  server.client(from).post('/api/login', { username, password, code });

describe('a login', () => {
  it('is in the audit log with its account, way, result, reason and address', async () => {
    const from = address();
    const { username, user } = await server.member();
    await login(from, username, 'not this one');
    await login(from, username, PASSWORD);
    const actor = { id: user.id, username };
    expect(await loginsFrom(from)).toMatchObject([
      {
        action: 'login.failure',
        actor,
        address: from,
        target: { kind: 'login', id: user.id, name: username },
        before: null,
        after: { way: 'password', result: 'failure', reason: 'invalid_credentials' },
      },
      { action: 'login.success', actor, address: from, after: { way: 'password', result: 'success' } },
    ]);
  });

  it('is not among what people changed', async () => {
    const from = address();
    const { username, user } = await server.member();
    const admin = await server.admin();
    await admin.patch(`/api/admin/users/${user.id}`, { isPremium: true });
    await login(from, username, PASSWORD);
    const [newest] = (await admin.get<AuditEntry[]>('/api/admin/audit?changes=true&limit=1')).body;
    expect(newest).toMatchObject({ action: 'user.update', target: { id: user.id } });
  });

  it('stores the name of no account, which may be a password (AU-45)', async () => {
    const from = address();
    await login(from, 'my secret password', PASSWORD);
    const [entry] = await loginsFrom(from);
    expect(entry).toMatchObject({ actor: { id: 0, username: 'unknown' }, target: { name: 'unknown' } });
    expect(JSON.stringify(entry)).not.toContain('secret');
  });

  it('names why it was refused, and is no failure while it asks for a code', async () => {
    const from = address();
    const suspended = await server.member();
    const admin = await server.admin();
    await admin.patch(`/api/admin/users/${suspended.user.id}`, { isSuspended: true });
    await login(from, suspended.username, PASSWORD);
    const { username, secret } = await enrolledMember(server);
    expect((await login(from, username, PASSWORD)).status).toBe(401);
    await login(from, username, PASSWORD, 'aaaa-aaaa-aaaa-aaaa');
    await login(from, username, PASSWORD, codeOf(secret, 1));
    const reasons = (await loginsFrom(from)).map(({ after }) => after!.reason ?? after!.result);
    expect(reasons).toEqual(['account_suspended', 'totp_invalid', 'success']);
  });

  it('counts the failures of an address beyond 20 in an hour in one entry (AU-45)', async () => {
    const from = address();
    // Different names: the address may fail 50 times.
    for (let tries = 0; tries < 20; tries += 1) await login(from, `nobody ${tries}`, PASSWORD);
    await Promise.all(Array.from({ length: 6 }, (_, at) => login(from, `somebody ${at}`, PASSWORD)));
    const entries = await loginsFrom(from);
    expect(entries).toHaveLength(21);
    expect(entries.at(-1)).toMatchObject({
      action: 'login.failures',
      actor: { username: 'unknown' },
      after: { result: 'failure', count: 6 },
    });
    await server.dataSource.query(
      `update audit_entry set created_at = created_at - interval '61 minutes' where address = $1`,
      [from],
    );
    await login(from, ADMIN.username, 'not this one');
    expect((await loginsFrom(from)).at(-1)).toMatchObject({ action: 'login.failure', actor: { username: 'admin' } });
  });

  it('of one address that fails many times at once leaves the others their turn', async () => {
    const from = address();
    const { username } = await server.member();
    const holder = server.dataSource.createQueryRunner();
    await holder.startTransaction();
    // As slow as storage can be.
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('login failures ' || $1, 0))`, [from]);
    const flood = Promise.all(
      Array.from({ length: 60 }, () => server.client(from).post('/api/login/passkey', { response: {} })),
    );
    await waitUntil('the flood', async () => {
      const [row] = await server.dataSource.query<[{ waits: boolean }]>(
        `select exists (select from pg_locks where locktype = 'advisory' and not granted) as waits`,
      );
      return row.waits;
    });
    expect((await login(address(), username, PASSWORD)).status).toBe(200);
    await holder.commitTransaction();
    await holder.release();
    await flood;
    const entries = await loginsFrom(from);
    expect(entries).toHaveLength(21);
    expect(entries.at(-1)).toMatchObject({ action: 'login.failures', after: { count: 40 } });
  });

  it('stays for 90 days, unlike the changes of admins', async () => {
    const from = address();
    const { username, user } = await server.member();
    await login(from, username, PASSWORD);
    const admin = await server.admin();
    await admin.patch(`/api/admin/users/${user.id}`, { isPremium: true });
    const age = (days: number) =>
      server.dataSource.query(
        `update audit_entry set created_at = now() - $1 * interval '1 day' where target_id = $2`,
        [days, user.id],
      );
    await age(89);
    expect(await loginsFrom(from)).toHaveLength(1);
    await age(91);
    await waitUntil('the deletion', async () => (await loginsFrom(from)).length === 0);
    const { body } = await admin.get<AuditEntry[]>(`/api/admin/audit?target=user:${user.id}`);
    expect(body).toMatchObject([{ action: 'user.update' }]);
  });

  it('is not noted twice, and not while the account confirms a change', async () => {
    const from = address();
    const { username } = await server.member();
    const client = server.client(from);
    await client.post('/api/login', { username, password: PASSWORD });
    await client.post('/api/user/password', { currentPassword: 'not this one', newPassword: 'another harbour' });
    expect(await loginsFrom(from)).toHaveLength(1);
  });
});
