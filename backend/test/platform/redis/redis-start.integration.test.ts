import { pino } from 'pino';
import { parseRedisUrl } from '../../../src/config/redis-url.js';
import { connectRedis } from '../../../src/platform/redis/redis.js';
import { toAppError } from '../../../src/platform/errors/error-body.js';
import { freePort } from '../../harness/free-port.js';
import { TestCluster } from '../../harness/servers/redis-cluster.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';

const connect = (url: string) => connectRedis(parseRedisUrl(url), pino({ level: 'silent' }));

/** The error of a connect that must fail, and whether a start would retry it. */
const failureOf = async (url: string): Promise<{ message: string; isRetried: boolean }> => {
  const error = await connect(url).then(
    () => new Error('connected'),
    (thrown: Error) => thrown,
  );
  return { message: error.message, isRetried: toAppError(error).code === 'storage_unavailable' };
};

describe('a start with a REDIS_URL that does not fit the servers', () => {
  let server: TestRedis;
  let cluster: TestCluster;

  beforeAll(async () => {
    [server, cluster] = await Promise.all([startRedis(), TestCluster.start()]);
  });

  afterAll(() => Promise.all([server.stop(), cluster.stop()]));

  const hostOf = (url: string) => new URL(url).host;

  it('refuses a single server that is addressed as a cluster', async () => {
    expect(await failureOf(`redis://${hostOf(server.url)}?cluster=1`)).toEqual({
      message: 'REDIS_URL has cluster=1, but the server is not a node of a cluster',
      isRetried: false,
    });
  });

  it('refuses a node of a cluster that is addressed as a single server', async () => {
    expect(await failureOf(cluster.nodes[0]!.url)).toEqual({
      message: 'REDIS_URL names one node of a Redis Cluster: list its nodes and append ?cluster=1',
      isRetried: false,
    });
  });

  it('refuses a database that the server does not have', async () => {
    expect(await failureOf(`${server.url}/99`)).toEqual({
      message: 'REDIS_URL names database 99, which the server does not have',
      isRetried: false,
    });
    const redis = await connect(`${server.url}/3`);
    expect(await redis.client('INFO')).toContain(' db=3 ');
    redis.disconnect();
  });

  it('retries while no listed node answers', async () => {
    const { message, isRetried } = await failureOf(`redis://127.0.0.1:${await freePort()}?cluster=1`);
    expect(message).toMatch(/^Redis Cluster unavailable: .*ECONNREFUSED|Connection is closed/);
    expect(isRetried).toBe(true);
  });

  it('connects when only one of the listed nodes answers', async () => {
    const redis = await connect(`redis://127.0.0.1:${await freePort()},${cluster.nodes[0]!.address}?cluster=1`);
    expect(await redis.set('greeting', 'hello')).toBe('OK');
    redis.disconnect();
  });

  it('retries while a third of the slots is not served, and names the state', async () => {
    // A primary and its replica.
    const lost = [cluster.nodes[0]!, cluster.nodes[3]!];
    const live = cluster.nodes.filter((node) => !lost.includes(node));
    await Promise.all(lost.map((node) => node.kill()));
    await cluster.isDown(live);
    const { message, isRetried } = await failureOf(`redis://${live[0]!.address}?cluster=1`);
    expect(message).toBe('Redis Cluster unavailable: state fail, 10923 of 16384 slots served');
    expect(isRetried).toBe(true);
  });

  it('retries while no Sentinel answers', async () => {
    const { message, isRetried } = await failureOf(`redis://127.0.0.1:${await freePort()}?sentinel=main`);
    expect(message).toContain('All sentinels are unreachable');
    expect(isRetried).toBe(true);
  });
});
