import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { type Count, type RateLimit, RateLimits } from '../../../src/platform/rate-limits/rate-limits.js';
import { Refusals } from '../../../src/platform/rate-limits/refusals.js';
import { COMMANDS } from '../../../src/platform/redis/redis-client.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { waitUntil } from '../../harness/wait-until.js';

let server: TestRedis;
let nodes: Redis[];
let limits: RateLimits[];

beforeAll(async () => {
  server = await startRedis();
  nodes = [new Redis(server.url, COMMANDS), new Redis(server.url, COMMANDS)];
  for (const node of nodes) node.on('error', () => undefined);
  await ready();
  limits = nodes.map((node) => new RateLimits(node, null as never, new Refusals(new Metrics())));
});

afterAll(async () => {
  for (const node of nodes) node.disconnect();
  await server.stop();
});

const ready = () => waitUntil('Redis', () => nodes.every(({ status }) => status === 'ready'));

const limitOf = (points: number, window = 60): RateLimit => ({ name: `limit-${randomUUID()}`, points, window });

const keyOf = ([{ name }, key]: Count): string => `tanya:limit:${name}:${key}`;

const used = (counts: Count[]) => nodes[0]!.mget(...counts.map(keyOf));

const isTaken = (node: RateLimits, counts: Count[]) =>
  node.consumeAll(counts).then(
    () => true,
    () => false,
  );

describe('limits that are counted together in Redis', () => {
  it('use a point of each or of none, and name the seconds until the refusing window ends', async () => {
    const counts: Count[] = [
      [limitOf(3, 600), 'one'],
      [limitOf(2, 30), 'one'],
    ];
    expect([await isTaken(limits[0]!, counts), await isTaken(limits[1]!, counts)]).toEqual([true, true]);
    const refused = await limits[0]!.consumeAll(counts).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'rate_limited' });
    expect((refused as { retryAfter: number }).retryAfter).toBeLessThanOrEqual(30);
    expect(await used(counts)).toEqual(['2', '2']);
  });

  it('admit no more than their points when nodes count at the same moment', async () => {
    const counts: Count[] = [
      [limitOf(20), 'many'],
      [limitOf(10), 'many'],
    ];
    const taken = await Promise.all(Array.from({ length: 60 }, (_, index) => isTaken(limits[index % 2]!, counts)));
    expect(taken.filter(Boolean)).toHaveLength(10);
    expect(await used(counts)).toEqual(['10', '10']);
  });

  it('share their counters with single counts, which nodes of the previous version make', async () => {
    const counts: Count[] = [
      [limitOf(3), 'shared'],
      [limitOf(9), 'shared'],
    ];
    await limits[0]!.consume(...counts[0]!);
    expect(await isTaken(limits[1]!, counts)).toBe(true);
    await limits[0]!.consume(...counts[0]!);
    expect(await isTaken(limits[1]!, counts)).toBe(false);
    await limits[0]!.rewardAll(counts);
    expect(await isTaken(limits[1]!, counts)).toBe(true);
    expect(await used(counts)).toEqual(['3', '1']);
  });

  it('end with their windows, also for a counter that lost its expiry', async () => {
    const counts: Count[] = [
      [limitOf(1, 600), 'stuck'],
      [limitOf(1, 60), 'stuck'],
    ];
    await nodes[0]!.set(keyOf(counts[0]!), 1);
    expect(await isTaken(limits[0]!, counts)).toBe(false);
    expect(await nodes[0]!.ttl(keyOf(counts[0]!))).toBeGreaterThan(60);
    await nodes[0]!.del(keyOf(counts[0]!));
    expect(await isTaken(limits[0]!, counts)).toBe(true);
    expect(await nodes[0]!.ttl(keyOf(counts[1]!))).toBeGreaterThan(0);
  });

  it('begin anew after FLUSHALL, and are counted in the process while Redis is away', async () => {
    const counts: Count[] = [
      [limitOf(2), 'outage'],
      [limitOf(5), 'outage'],
    ];
    const take = async (times: number) => {
      const taken: boolean[] = [];
      for (let call = 0; call < times; call += 1) taken.push(await isTaken(limits[0]!, counts));
      return taken;
    };
    expect(await take(3)).toEqual([true, true, false]);
    await nodes[0]!.flushall();
    expect(await take(3)).toEqual([true, true, false]);
    await server.kill();
    expect(await take(3)).toEqual([true, true, false]);
    await server.start();
    await ready();
  });
});
