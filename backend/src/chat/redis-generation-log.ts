import type { GenerationEvent } from '@tanya/contract';
import type { ChainableCommander, Redis, Result } from 'ioredis';
import { type GenerationLog, isClosing } from './generation-log.js';
import { isPackedDeltas, lastSeqOf, packInto, type PackedEvent, unpackAfter } from './packed-events.js';

/**
 * One stream a generation; an entry's id is the last seq in it, so Redis itself keeps the order. Entries that are there
 * already are skipped (a batch that was sent twice), and nothing follows an end.
 * ARGV: lifetime in ms, then last seq, closing (0 or 1) and JSON for each entry.
 */
const APPEND = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local lastSeq = 0
if last[1] then
  lastSeq = tonumber(string.match(last[1][1], '^%d+'))
  if last[1][2][1] == 'end' then return 0 end
end
for i = 2, #ARGV, 3 do
  if tonumber(ARGV[i]) > lastSeq then
    redis.call('XADD', KEYS[1], ARGV[i] .. '-1', ARGV[i + 1] == '1' and 'end' or 'e', ARGV[i + 2])
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    appendEvents(key: string, lifetime: number, ...entries: (string | number)[]): Result<number, Context>;
  }
}

/** Appends on their way, and what will have become of each. */
interface Batch {
  pipeline: ChainableCommander;
  replies: Promise<[Error | null, unknown][] | null>;
}

/** A running generation's log outlives any silence that its timeouts allow, ms. */
const RUNNING_LIFETIME = 60 * 60 * 1000;

/** For many nodes. */
export class RedisGenerationLog implements GenerationLog {
  private batch: Batch | null = null;

  /** @param retention how long a closed log is kept, ms */
  constructor(
    private readonly redis: Redis,
    private readonly retention: number,
  ) {
    redis.defineCommand('appendEvents', { numberOfKeys: 1, lua: APPEND });
  }

  async append(generationId: string, events: readonly GenerationEvent[]): Promise<'appended' | 'closed'> {
    const lifetime = events.some(isClosing) ? this.retention : RUNNING_LIFETIME;
    const packed: PackedEvent[] = [];
    for (const event of events) packInto(packed, event);
    const entries = packed.flatMap((entry) => [lastSeqOf(entry), isPackedDeltas(entry) ? 0 : 1, JSON.stringify(entry)]);
    const { pipeline, replies } = (this.batch ??= this.openBatch());
    const index = pipeline.length;
    pipeline.appendEvents(this.key(generationId), lifetime, ...entries);
    const [error, appended] = (await replies)?.[index] ?? [new Error('The log did not answer'), null];
    if (error !== null) throw error;
    return appended === 1 ? 'appended' : 'closed';
  }

  /** Everything that is appended in one turn of the event loop is one write to Redis. */
  private openBatch(): Batch {
    const pipeline = this.redis.pipeline();
    const replies = new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.batch = null;
      return pipeline.exec();
    });
    return { pipeline, replies };
  }

  async readAfter(generationId: string, afterSeq: number): Promise<GenerationEvent[] | null> {
    const entries = await this.redis.xrange(this.key(generationId), `${afterSeq + 1}-0`, '+');
    const events = unpackAfter(
      entries.map(([, [, json]]) => JSON.parse(json!) as PackedEvent),
      afterSeq,
    );
    if (events.length > 0) return events[0]!.seq === afterSeq + 1 ? events : null;
    return (await this.lastSeq(generationId)) === afterSeq && afterSeq > 0 ? [] : null;
  }

  async lastSeq(generationId: string): Promise<number> {
    const [last] = await this.redis.xrevrange(this.key(generationId), '+', '-', 'COUNT', 1);
    return last === undefined ? 0 : Number.parseInt(last[0], 10);
  }

  private key(generationId: string): string {
    return `tanya:log:{${generationId}}`;
  }
}
