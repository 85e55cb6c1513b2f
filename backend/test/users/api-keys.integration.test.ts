import type { ApiKeyResponse } from '@tanya/contract';
import { Bus } from '../../src/platform/bus/bus.js';
import { KeyLookup } from '../../src/api-keys/key-lookup.service.js';
import { waitForLockWait, withConnection } from '../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { ask, errorIn } from '../public-api/public-api-harness.js';
import { apiKeyEnded } from '../../src/identity/identity-topics.js';

let database: TestDatabase;
let server: TestApp;
let keys: KeyLookup;

beforeAll(async () => {
  database = await createDatabase();
  server = await startTestApp({ database });
  keys = server.app.get(KeyLookup);
});

afterAll(async () => {
  await server.close();
  await database.drop();
});

const PATH = '/api/user/apikey';

describe('an API key', () => {
  it('is absent at first, returned in full after its creation, and absent once revoked', async () => {
    const { client, user } = await server.member();
    expect((await client.get(PATH)).body).toEqual({ hasApiKey: false, apiKey: null });
    const { apiKey } = (await client.post<ApiKeyResponse>(`${PATH}/generate`)).body;
    expect(apiKey).toMatch(/^tk_[\w-]{43}$/);
    expect((await client.get(PATH)).body).toEqual({ hasApiKey: true, apiKey });
    expect((await keys.find(apiKey!))?.id).toBe(user.id);
    expect((await client.post(`${PATH}/revoke`)).body).toEqual({ hasApiKey: false, apiKey: null });
    expect(await keys.find(apiKey!)).toBeNull();
    expect((await client.get(PATH)).body).toEqual({ hasApiKey: false, apiKey: null });
  });

  it('replaces the previous one, whose end is announced (KEY-3)', async () => {
    const { client, user } = await server.member();
    const ended: number[] = [];
    server.app.get(Bus).subscribe(apiKeyEnded, ({ userId }) => void ended.push(userId));
    const first = (await client.post<ApiKeyResponse>(`${PATH}/generate`)).body.apiKey!;
    const second = (await client.post<ApiKeyResponse>(`${PATH}/generate`)).body.apiKey!;
    expect(await keys.find(first)).toBeNull();
    expect((await keys.find(second))?.id).toBe(user.id);
    expect(ended).toEqual([user.id]);
  });

  it('is one, also when several are made at the same time', async () => {
    const { client } = await server.member();
    const answers = await Promise.all([1, 2, 3].map(() => client.post<ApiKeyResponse>(`${PATH}/generate`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const found = await Promise.all(answers.map(({ body }) => keys.find(body.apiKey!)));
    expect(found.filter((owner) => owner !== null)).toHaveLength(1);
  });

  it('that is revoked refuses a call whose admission has not ended (KEY-3)', async () => {
    const { client, user } = await server.member();
    const { apiKey } = (await client.post<ApiKeyResponse>(`${PATH}/generate`)).body;
    const headers = { Authorization: `Bearer ${apiKey}` };
    const answer = await withConnection(database, async (locker) => {
      await locker.query('begin');
      // The admission waits for the row of the quota.
      await locker.query(`insert into quota_account (owner, period) values ($1, 'ever')`, [`user:${user.id}`]);
      const calling = server.client().post('/api/v1/chat', ask('Hello'), { headers });
      await waitForLockWait(database);
      expect((await client.post(`${PATH}/revoke`)).status).toBe(200);
      await locker.query('rollback');
      return calling;
    });
    expect([answer.status, errorIn(answer.body).message]).toEqual([401, 'Invalid or missing API key']);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
  });

  it('is not stored for an account whose deletion has begun', async () => {
    const { client, user } = await server.member();
    await server.dataSource.query(`update "user" set password_hash = '' where id = $1`, [user.id]);
    expect((await client.post(`${PATH}/generate`)).status).toBe(404);
    expect((await client.get(PATH)).body).toEqual({ hasApiKey: false, apiKey: null });
  });

  it('is stored as a hash and sealed, never in plain text (KEY-1)', async () => {
    const { client, user } = await server.member();
    const { apiKey } = (await client.post<ApiKeyResponse>(`${PATH}/generate`)).body;
    const row = JSON.stringify(await server.dataSource.query('select * from api_key where user_id = $1', [user.id]));
    expect(row).not.toContain(apiKey);
    expect(row).toMatch(/"key_hash":"[0-9a-f]{64}"/);
  });

  it.each(['', 'tk_', "tk_' or 1=1 --", 'x'.repeat(100_000), '\0', 'tk_' + 'é'.repeat(43)])(
    'is not found for a malformed key, case %# (KEY-2)',
    async (key) => {
      expect(await keys.find(key)).toBeNull();
    },
  );

  it('is refused to guests', async () => {
    const guest = await server.guest();
    for (const path of [`${PATH}/generate`, `${PATH}/revoke`]) expect((await guest.post(path)).status).toBe(401);
  });
});
