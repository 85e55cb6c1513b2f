import { randomUUID } from 'node:crypto';
import type { GenerationEvent } from '@tanya/contract';
import { Redis } from 'ioredis';
import type { GenerationLog } from '../../../src/chat/generation/log/generation-log.js';
import { InProcessGenerationLog } from '../../../src/chat/generation/log/in-process-generation-log.js';
import { RedisGenerationLog } from '../../../src/chat/generation/log/redis-generation-log.js';
import { OwnerSockets } from '../../../src/chat/sockets/owner-sockets.js';
import { RunRegistry } from '../../../src/chat/generation/live/run-registry.js';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { dataOf } from '../../harness/socket-client.js';

interface Base {
  generationId: string;
  threadId: number;
  messageId: number;
}

/** An event of a type that this version does not have. */
const futureEvent = (base: Base, seq: number): GenerationEvent =>
  ({
    ...base,
    seq,
    type: 'canvas',
    index: 1,
    canvas: { type: 'tool', state: 'running' },
  }) as unknown as GenerationEvent;

/** A delta with a field that this version does not have. */
const deltaOfPart = (base: Base, seq: number, layer: number): GenerationEvent =>
  ({ ...base, seq, type: 'text-delta', text: `text ${seq} `, layer }) as GenerationEvent;

describe('a generation log with events of a later version', () => {
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

  const logs: [string, () => GenerationLog][] = [
    ['in process', () => new InProcessGenerationLog(60_000)],
    ['over Redis', () => new RedisGenerationLog(redis, 60_000)],
  ];

  it.each(logs)('stays open after an unknown event type, %s', async (_name, open) => {
    const log = open();
    const id = randomUUID();
    const base = { generationId: id, threadId: 1, messageId: 2 };
    const events = [deltaOfPart(base, 1, 0), futureEvent(base, 2), deltaOfPart(base, 3, 2)];
    expect(await log.append(id, [events[0]!, events[1]!])).toBe('appended');
    expect(await log.append(id, [events[2]!])).toBe('appended');
    expect(await log.readAfter(id, 0)).toEqual(events);
    expect(await log.readAfter(id, 1)).toEqual(events.slice(1));
    expect(await log.lastSeq(id)).toBe(3);
  });

  it.each(logs)('keeps unknown fields of deltas, %s', async (_name, open) => {
    const log = open();
    const id = randomUUID();
    const base = { generationId: id, threadId: 1, messageId: 2 };
    const events = [deltaOfPart(base, 1, 0), deltaOfPart(base, 2, 0), deltaOfPart(base, 3, 1)];
    await log.append(id, events);
    expect(await log.readAfter(id, 0)).toEqual(events);
  });
});

describe.each(ADAPTERS)('a run with an event of a later version, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
  });

  afterAll(() => harness.close());

  it('counts it, resumes with it and ends with the next number', async () => {
    const { client, page } = await harness.memberPage();
    const release = harness.upstream.holdAfter('goes on');
    const { generationId, threadId, aiMessage } = await page.start('later version');
    await page.firstText(generationId);
    const run = harness.app.get(RunRegistry).find(generationId)!;
    const event = futureEvent({ generationId, threadId, messageId: aiMessage.id }, run.seq + 1);
    run.record(event);
    harness.app.get(OwnerSockets).emit(run.owner, 'generation:event', event);
    release();

    const shown = await page.ended(generationId);
    expect(shown).toMatchObject({ gaps: 0, late: 0 });
    expect(shown.closing?.seq).toBe(shown.events.at(-1)?.seq);
    const later = await harness.page(client);
    const resumed = dataOf(await later.tryResume(generationId, event.seq - 1));
    expect(resumed).toMatchObject({ outcome: 'resumed' });
    expect(resumed.outcome === 'resumed' && resumed.events[0]).toEqual(event);
    expect(resumed.outcome === 'resumed' && resumed.events.at(-1)?.type).toBe('end');
  });
});
