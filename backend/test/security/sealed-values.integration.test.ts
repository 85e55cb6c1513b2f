import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminSettings, ApiKeyResponse, User } from '@tanya/contract';
import type { DataSource } from 'typeorm';
import { SecretBox } from '../../src/platform/secrets/secret-box.js';
import { SEALED_COLUMNS, type SealedColumn } from '../../src/platform/secrets/sealed-columns.js';
import type { HttpClient } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../harness/test-app.js';
import { codeOf } from '../harness/totp-codes.js';
import { sealUnbound } from '../harness/rows/unbound-seal.js';
import {
  expectEverything,
  movedTo,
  type SealedMember,
  storedValues,
  storeEverything,
  TEXTS,
} from './sealed-harness.js';

const newSecret = () => randomBytes(36).toString('base64url');

const CHECK_VIOLATION = '23514';

let database: TestDatabase;
let dataDir: string;
let server: TestApp | undefined;

beforeEach(async () => {
  database = await createDatabase();
  dataDir = join(process.env.TANYA_TEST_FOLDER ?? tmpdir(), randomUUID());
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await database.drop();
});

/** Starts the server on the database of the test with this APP_SECRET, in place of the one that runs. */
async function startWith(appSecret: string, options: TestAppOptions = {}): Promise<TestApp> {
  await server?.close();
  server = await startTestApp({ database, ...options, env: { appSecret, dataDir, ...options.env } });
  return server;
}

/** Leaves the sealed values as versions before bound ones do. */
async function unbindAll(dataSource: DataSource, secret: string): Promise<void> {
  const box = new SecretBox(secret);
  for (const { table, column } of await dataSource.query<SealedColumn[]>(SEALED_COLUMNS)) {
    await dataSource.query(`alter table "${table}" drop constraint "${table}_${column}_bound"`);
  }
  for (const cell of await storedValues(dataSource)) {
    const key = cell.table === 'totp' ? 'user_id' : 'id';
    const sealed = sealUnbound(secret, box.open(cell.sealed, cell)!);
    await dataSource.query(`update "${cell.table}" set "${cell.column}" = $1 where ${key} = $2`, [sealed, cell.row]);
  }
}

const prefixesIn = async (dataSource: DataSource): Promise<string[]> =>
  [...new Set((await storedValues(dataSource)).map(({ sealed }) => sealed.split('.').slice(0, -1).join('.')))].sort();

const apiKeyOf = async (client: HttpClient) => (await client.get<ApiKeyResponse>('/api/user/apikey')).body;

describe('a sealed value', () => {
  it('opens in its own table, column and row only (SET-6)', async () => {
    const secret = newSecret();
    const { dataSource, ...app } = await startWith(secret);
    const member = await storeEverything({ dataSource, ...app });
    const values = await storedValues(dataSource);
    const texts: Record<string, string> = {
      ...TEXTS,
      'totp.secret_sealed': member.secret,
      'totp.pending_sealed': member.pending,
      'api_key.secret_sealed': member.apiKey,
    };
    const columns = new Set(values.map(({ table, column }) => `${table}.${column}`));
    expect([...columns].sort()).toEqual(Object.keys(texts).sort());
    const box = new SecretBox(secret);
    for (const cell of values) {
      expect(box.open(cell.sealed, cell)).toBe(texts[`${cell.table}.${cell.column}`]);
      // Where an owner would read it.
      await dataSource.query('update api_key set secret_sealed = $1 where user_id = $2', [cell.sealed, member.user.id]);
      const isOwn = cell.table === 'api_key';
      expect(await apiKeyOf(member.client)).toEqual({ hasApiKey: true, apiKey: isOwn ? member.apiKey : null });
    }
    const other = await app.member();
    await other.client.post('/api/user/apikey/generate');
    const sql =
      'update api_key set secret_sealed = (select secret_sealed from api_key where user_id = $1) where user_id = $2';
    await dataSource.query(sql, [member.user.id, other.user.id]);
    expect(await apiKeyOf(other.client)).toEqual({ hasApiKey: true, apiKey: null });
  });

  it('of an earlier version still opens, and is sealed for its row at the start', async () => {
    const secret = newSecret();
    const member = await storeEverything(await startWith(secret));
    await unbindAll(server!.dataSource, secret);
    const upgraded = await startWith(secret);
    expect(await prefixesIn(upgraded.dataSource)).toEqual([new SecretBox(secret).currentPrefix.slice(0, -1)]);
    await expectEverything(upgraded, member);
  });

  it('of an earlier version is refused after that start, also in an old dump', async () => {
    const secret = newSecret();
    const { dataSource } = await startWith(secret);
    const stolen = sealUnbound(secret, 'sk-of-the-installation');
    const { client, user } = await server!.member();
    await client.post('/api/user/apikey/generate');
    const paste = () => dataSource.query('update api_key set secret_sealed = $1 where user_id = $2', [stolen, user.id]);
    await expect(paste()).rejects.toMatchObject({ code: CHECK_VIOLATION });
    for (const { table, column, isBound } of await dataSource.query<SealedColumn[]>(SEALED_COLUMNS)) {
      expect([table, column, isBound]).toEqual([table, column, true]);
    }
    // Also where Postgres no longer refuses it.
    await dataSource.query('alter table api_key drop constraint api_key_secret_sealed_bound');
    await paste();
    expect(await apiKeyOf(client)).toEqual({ hasApiKey: true, apiKey: null });
  });
});

describe('a new APP_SECRET before the previous one', () => {
  const [one, two, three] = [newSecret(), newSecret(), newSecret()];
  let member: SealedMember;

  it('opens and seals all values again, and keeps sessions and guests, so that the previous one can be dropped', async () => {
    member = await storeEverything(await startWith(one));
    const guest = await server!.guest();
    const rotated = await startWith(`${two},${one}`);
    expect(await prefixesIn(rotated.dataSource)).toEqual([new SecretBox(two).currentPrefix.slice(0, -1)]);
    await expectEverything(rotated, member);
    expect((await movedTo(rotated, member.client).get<User>('/api/user')).body.username).toBe(member.username);
    const again = movedTo(rotated, guest);
    await again.get('/api/general-settings');
    expect(again.cookies.get('tanya.guest')).toBe(guest.cookies.get('tanya.guest'));
    const alone = await startWith(two);
    await expectEverything(alone, member);
    // Cookies are not signed again.
    expect((await movedTo(alone, member.client).get('/api/user')).status).toBe(401);
  });

  it('keeps values that no listed secret opens for a start that lists theirs', async () => {
    member = await storeEverything(await startWith(one));
    await unbindAll(server!.dataSource, one);
    const lost = await startWith(two);
    const admin = await lost.admin();
    const { warnings } = (await admin.get<AdminSettings>('/api/general-settings')).body;
    expect(warnings).toEqual(expect.arrayContaining([expect.objectContaining({ code: 'key_unreadable' })]));
    expect((await prefixesIn(lost.dataSource)).every((prefix) => prefix.startsWith('v2w.'))).toBe(true);
    await startWith(three);
    await expectEverything(await startWith(`${three},${two},${one}`), member);
    await expectEverything(await startWith(three), member);
  });

  it('lets an enrolment that began before it be confirmed', async () => {
    member = await storeEverything(await startWith(one));
    const rotated = await startWith(`${two},${one}`);
    const code = codeOf(member.pending);
    expect((await movedTo(rotated, member.client).post('/api/user/totp/confirm', { code })).status).toBe(200);
  });
});
