import { AccountLifecycleHooks } from '../../src/identity/account-lifecycle-hooks.js';
import { errorOf } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { eventually, waitUntil } from '../harness/wait-until.js';
import { addPasskey, passkeyLogin } from './passkey-device.js';

let redis: TestRedis;
let database: TestDatabase;
let one: TestApp;
let two: TestApp;

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createDatabase()]);
  const env = { redisUrl: redis.url, appSecret: 'the same on both of these nodes!' };
  one = await startTestApp({ database, env });
  two = await startTestApp({ database, env });
});

afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  await database.drop();
  await redis.stop();
});

describe('sessions in Redis', () => {
  it('are valid on every node and end on every node (AU-8)', async () => {
    const { client } = await one.member();
    const elsewhere = two.client();
    for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.get('/api/user')).status).toBe(200);
    await client.post('/api/logout');
    expect((await elsewhere.get('/api/user')).status).toBe(401);
  });

  it('count failed logins of all nodes together (AU-5)', async () => {
    const { username } = await one.member();
    for (let tries = 0; tries < 10; tries += 1) {
      const node = tries % 2 ? one : two;
      await node.client('10.6.6.6').post('/api/login', { username, password: 'not this one' });
    }
    for (const node of [one, two]) {
      const answer = await node.client('10.6.6.6').post('/api/login', { username, password: PASSWORD });
      expect(answer.status).toBe(429);
    }
  });

  it('are not taken for ended while Redis is away', async () => {
    const { client } = await one.member();
    const guest = await one.guest();
    await redis.kill();
    const answer = await client.get('/api/user');
    expect(answer.status).toBe(503);
    expect(errorOf(answer)).toMatchObject({ code: 'storage_unavailable', retryable: true });
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect((await guest.get('/api/general-settings')).status).toBe(200);
    expect((await guest.get('/api/user')).status).toBe(401);
    await redis.start();
    await waitUntil('Redis', async () => (await client.get('/api/user')).status !== 503);
    expect((await client.get('/api/user')).status).toBe(401);
  });

  it('are required to register: no account is created that could not be signed in', async () => {
    const newcomer = { username: 'newcomer', password: PASSWORD };
    const guest = await one.guest();
    await redis.kill();
    const refused = await guest.post('/api/register', newcomer);
    await redis.start();
    expect([refused.status, errorOf(refused).code]).toEqual([503, 'storage_unavailable']);
    await eventually(async () => expect((await guest.post('/api/register', newcomer)).status).toBe(201));
  });

  it('are required to log in: the chats of the guest stay with the guest, whatever the way in', async () => {
    const moved: string[] = [];
    one.app.get(AccountLifecycleHooks).onGuestMigration(async (_manager, from) => void moved.push(from));
    const { client, username } = await one.member();
    moved.length = 0;
    const { device } = await addPasskey(client);
    const guest = await one.guest();
    await redis.kill();
    const refused = [
      await guest.post('/api/login', { username, password: PASSWORD }),
      await passkeyLogin(guest, device),
    ];
    await redis.start();
    expect(refused.map((answer) => [answer.status, errorOf(answer).code])).toEqual([
      [503, 'storage_unavailable'],
      [503, 'storage_unavailable'],
    ]);
    expect(moved).toEqual([]);
    await eventually(async () => expect((await passkeyLogin(guest, device)).status).toBe(200));
    expect(moved).toHaveLength(1);
  });
});
