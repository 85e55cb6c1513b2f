import { randomUUID } from 'node:crypto';
import type { GenerationEvent } from '@tanya/contract';
import { Redis } from 'ioredis';
import type { GenerationLog } from '../../../src/chat/generation/log/generation-log.js';
import { InProcessGenerationLog } from '../../../src/chat/generation/log/in-process-generation-log.js';
import { RedisGenerationLog } from '../../../src/chat/generation/log/redis-generation-log.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { waitUntil } from '../../harness/wait-until.js';

const RETENTION = 60_000;

let server: TestRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const base = { generationId: randomUUID(), threadId: 1, messageId: 2 };
const delta = (seq: number): GenerationEvent => ({ ...base, seq, type: 'text-delta', text: `piece ${seq} 😀` });
const end = (seq: number): GenerationEvent => ({
  ...base,
  seq,
  type: 'error',
  error: { code: 'interrupted', message: 'gone', retryable: true },
  message: {} as never,
});

const LOGS: [string, () => GenerationLog][] = [
  ['in process', () => new InProcessGenerationLog(RETENTION)],
  ['over Redis', () => new RedisGenerationLog(redis, RETENTION)],
];

describe.each(LOGS)('the generation log, %s', (_name, open) => {
  let log: GenerationLog;
  let id: string;

  beforeEach(() => {
    log = open();
    id = randomUUID();
  });

  it('returns the events after a position', async () => {
    expect(await log.append(id, [delta(1), delta(2)])).toBe('appended');
    expect(await log.append(id, [delta(3)])).toBe('appended');
    expect(await log.readAfter(id, 0)).toEqual([delta(1), delta(2), delta(3)]);
    expect(await log.readAfter(id, 2)).toEqual([delta(3)]);
    expect(await log.readAfter(id, 3)).toEqual([]);
    expect(await log.lastSeq(id)).toBe(3);
  });

  it('returns null beyond its end and for an unknown generation', async () => {
    expect(await log.readAfter(id, 0)).toBeNull();
    expect(await log.lastSeq(id)).toBe(0);
    await log.append(id, [delta(1)]);
    expect(await log.readAfter(id, 2)).toBeNull();
    expect(await log.readAfter(id, Number.MAX_SAFE_INTEGER)).toBeNull();
  });

  it('appends a repeated batch once, also in part', async () => {
    await log.append(id, [delta(1), delta(2)]);
    await log.append(id, [delta(1), delta(2)]);
    await log.append(id, [delta(2), delta(3)]);
    expect(await log.readAfter(id, 0)).toEqual([delta(1), delta(2), delta(3)]);
  });

  it('is closed by a closing event whose number exists already, so that the writer is fenced', async () => {
    await log.append(id, [delta(1), delta(2), delta(3)]);
    expect(await log.append(id, [end(2)])).toBe('appended');
    expect(await log.append(id, [delta(4)])).toBe('closed');
    expect((await log.readAfter(id, 0))?.at(-1)).toEqual(delta(3));
  });

  it('returns null before a lost beginning, never a gap', async () => {
    await log.append(id, [delta(5), delta(6)]);
    expect(await log.readAfter(id, 0)).toBeNull();
    expect(await log.readAfter(id, 3)).toBeNull();
    expect(await log.readAfter(id, 4)).toEqual([delta(5), delta(6)]);
  });

  it('refuses events after an end', async () => {
    await log.append(id, [delta(1), end(2)]);
    expect(await log.append(id, [delta(3)])).toBe('closed');
    expect(await log.append(id, [end(3)])).toBe('closed');
    expect(await log.readAfter(id, 0)).toEqual([delta(1), end(2)]);
  });

  it('separates the logs of two generations', async () => {
    const other = randomUUID();
    await log.append(id, [delta(1)]);
    await log.append(other, [delta(1), delta(2)]);
    expect(await log.lastSeq(id)).toBe(1);
    expect(await log.lastSeq(other)).toBe(2);
  });

  it('appends for many generations at once, with an outcome for each', async () => {
    const ids = Array.from({ length: 300 }, () => randomUUID());
    await Promise.all(ids.map((each, index) => log.append(each, index % 3 === 0 ? [delta(1), end(2)] : [delta(1)])));
    const outcomes = await Promise.all(ids.map((each, index) => log.append(each, [delta(2), delta(index + 3)])));
    expect(outcomes).toEqual(ids.map((_, index) => (index % 3 === 0 ? 'closed' : 'appended')));
    const lasts = await Promise.all(ids.map((each) => log.lastSeq(each)));
    expect(lasts).toEqual(ids.map((_, index) => (index % 3 === 0 ? 2 : index + 3)));
  });
});

it('returns events that are appended to Redis during a read at the end', async () => {
  const log = new RedisGenerationLog(redis, RETENTION);
  const id = randomUUID();
  await log.append(id, [delta(1)]);
  jest.spyOn(redis, 'xrange').mockImplementationOnce((async (...args: [string, string, string]) => {
    const entries = await redis.xrange(...args);
    await log.append(id, [delta(2)]);
    return entries;
  }) as typeof redis.xrange);
  expect(await log.readAfter(id, 1)).toEqual([delta(2)]);
  jest.restoreAllMocks();
});

it('expires in Redis after its retention, and later while it runs', async () => {
  const log = new RedisGenerationLog(redis, 20);
  const [running, over] = [randomUUID(), randomUUID()];
  await log.append(running, [delta(1)]);
  await log.append(over, [delta(1), end(2)]);
  await waitUntil('the expiry', async () => (await log.readAfter(over, 0)) === null);
  expect(await log.readAfter(running, 0)).toEqual([delta(1)]);
});
