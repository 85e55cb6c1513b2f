import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { TcpProxy } from '../faults/tcp-proxy.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { startTestApp, type TestAppOptions } from '../harness/test-app.js';

let database: TestDatabase;
let redis: TestRedis;
let postgresLine: TcpProxy;
let redisLine: TcpProxy;

const portOf = (url: string) => Number(new URL(url).port);

const through = (line: TcpProxy, url: string): string => {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String(line.port);
  return address.href;
};

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createDatabase()]);
  postgresLine = await TcpProxy.open(() => [portOf(database.url)]);
  redisLine = await TcpProxy.open(() => [portOf(redis.url)]);
});

afterAll(async () => {
  await Promise.all([postgresLine.close(), redisLine.close()]);
  await redis.stop();
  await database.drop();
});

const start = ({ env, timings }: TestAppOptions = {}) => {
  const databaseUrl = through(postgresLine, database.url);
  const redisUrl = through(redisLine, redis.url);
  return startTestApp({ database, env: { databaseUrl, redisUrl, ...env }, timings });
};

const lines: [string, () => TcpProxy][] = [
  ['Postgres', () => postgresLine],
  ['Redis', () => redisLine],
];

describe.each(lines)('a start before %s accepts connections', (name, line) => {
  afterEach(() => line().restore());

  it('retries', async () => {
    line().refuse();
    const starting = start();
    await sleep(1_500);
    line().restore();
    const server = await starting;
    expect((await server.client().get('/api/health/ready')).status).toBe(200);
    await server.close();
  });

  it('ends at the timeout with the address that did not answer', async () => {
    line().refuse();
    const starting = start({ timings: { startTimeout: 600 } });
    await expect(starting).rejects.toThrow(`${name} at 127.0.0.1:${line().port} did not answer within 0.6 s`);
  });
});

describe('a start that is refused', () => {
  it.each(['/proc/nothing/data', '/proc/self'])('by the system names DATA_DIR: %s', async (dataDir) => {
    await expect(start({ env: { dataDir } })).rejects.toThrow(`DATA_DIR ${dataDir} cannot be used: `);
  });

  it('by Postgres ends at once', async () => {
    const databaseUrl = database.url.replace(/[^/]+$/, 'no_such_database');
    await expect(start({ env: { databaseUrl } })).rejects.toMatchObject({ code: '3D000' });
  });

  it('by Redis ends at once', async () => {
    const admin = new Redis(redis.url);
    await admin.config('SET', 'requirepass', 'the right one');
    const redisUrl = redis.url.replace('//', '//:the-wrong-one@');
    await expect(start({ env: { redisUrl } })).rejects.toThrow(/WRONGPASS/);
    await admin.config('SET', 'requirepass', '');
    admin.disconnect();
  });
});

it('stops in order while Redis does not answer', async () => {
  const server = await start();
  redisLine.hold();
  await server.close();
  redisLine.restore();
});
