import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { TcpProxy } from '../faults/tcp-proxy.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { startTestApp, type TestAppOptions } from '../harness/test-app.js';

let database: TestDatabase;
let redis: TestRedis;
let postgresProxy: TcpProxy;
let redisProxy: TcpProxy;

const portOf = (url: string) => Number(new URL(url).port);

const through = (proxy: TcpProxy, url: string): string => {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  return address.href;
};

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createDatabase()]);
  postgresProxy = await TcpProxy.open(() => [portOf(database.url)]);
  redisProxy = await TcpProxy.open(() => [portOf(redis.url)]);
});

afterAll(async () => {
  await Promise.all([postgresProxy.close(), redisProxy.close()]);
  await redis.stop();
  await database.drop();
});

const start = ({ env, timings }: TestAppOptions = {}) => {
  const databaseUrl = through(postgresProxy, database.url);
  const redisUrl = through(redisProxy, redis.url);
  return startTestApp({ database, env: { databaseUrl, redisUrl, ...env }, timings });
};

const proxies: [string, () => TcpProxy][] = [
  ['Postgres', () => postgresProxy],
  ['Redis', () => redisProxy],
];

describe.each(proxies)('a start before %s answers', (name, proxy) => {
  afterEach(() => proxy().restore());

  it('retries until it answers', async () => {
    proxy().refuse();
    const starting = start();
    await sleep(1_500);
    proxy().restore();
    const server = await starting;
    expect((await server.client().get('/api/health/ready')).status).toBe(200);
    await server.close();
  });

  it('fails at its timeout with the address', async () => {
    proxy().refuse();
    const starting = start({ timings: { startTimeout: 600 } });
    await expect(starting).rejects.toThrow(`${name} at 127.0.0.1:${proxy().port} did not answer within 0.6 s`);
  });
});

describe('a start that is refused', () => {
  it.each(['/proc/nothing/data', '/proc/self'])('by the file system names DATA_DIR: %s', async (dataDir) => {
    await expect(start({ env: { dataDir } })).rejects.toThrow(`DATA_DIR ${dataDir} cannot be used: `);
  });

  it('by Postgres fails at once', async () => {
    const databaseUrl = database.url.replace(/[^/]+$/, 'no_such_database');
    await expect(start({ env: { databaseUrl } })).rejects.toMatchObject({ code: '3D000' });
  });

  it('by Redis fails at once', async () => {
    const admin = new Redis(redis.url);
    await admin.config('SET', 'requirepass', 'the right one');
    const redisUrl = redis.url.replace('//', '//:the-wrong-one@');
    await expect(start({ env: { redisUrl } })).rejects.toThrow(/WRONGPASS/);
    await admin.config('SET', 'requirepass', '');
    admin.disconnect();
  });
});

it('shuts down while Redis does not answer', async () => {
  const server = await start();
  redisProxy.hold();
  await server.close();
  redisProxy.restore();
});
