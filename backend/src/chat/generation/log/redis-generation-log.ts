import type { GenerationEvent } from '@tanya/contract';
import type { Redis, Result } from 'ioredis';
import { type GenerationLog, isClosing } from './generation-log.js';
import { isPackedDeltas, lastSeqOf, packInto, type PackedEvent, unpackAfter } from './packed-events.js';

/**
 * One stream a generation; an entry's id is the last seq in it, so Redis itself keeps the order. Entries that are there
 * already are skipped (a batch that was sent twice), and nothing follows an end.
 * KEYS: logs that lie in one slot. ARGV, for each of them: lifetime in ms, how many entries, then last seq, closing (0 or
 * 1) and JSON of each entry. Returns for each log 1, or 0 where it had an end.
 */
const APPEND = `
local appended = {}
local at = 1
for k, key in ipairs(KEYS) do
  local lifetime, count = ARGV[at], tonumber(ARGV[at + 1])
  local first = at + 2
  at = first + 3 * count
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if last and last[2][1] == 'end' then
    appended[k] = 0
  else
    local lastSeq = last and tonumber(string.match(last[1], '^%d+')) or 0
    for i = first, at - 1, 3 do
      if tonumber(ARGV[i]) > lastSeq then
        redis.call('XADD', key, ARGV[i] .. '-1', ARGV[i + 1] == '1' and 'end' or 'e', ARGV[i + 2])
      end
    end
    redis.call('PEXPIRE', key, lifetime)
    appended[k] = 1
  end
end
return appended`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    appendEvents(keys: number, ...keysAndEntries: (string | number)[]): Result<number[], Context>;
  }
}

/** Logs of one slot that are appended to by one command. */
interface Slot {
  /** Which command of the batch it is. */
  index: number;
  keys: string[];
  entries: (string | number)[];
}

/** Appends on their way, and what will have become of each. */
interface Batch {
  slots: Map<number, Slot>;
  replies: Promise<[Error | null, unknown][] | null>;
}

/** Over so many slots the logs are spread: a cluster has few shards, and each flush sends a command for every slot. */
const SLOTS = 64;

const slotOf = (generationId: string): number => Number.parseInt(generationId.slice(0, 2), 16) % SLOTS;

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
    redis.defineCommand('appendEvents', { lua: APPEND });
  }

  async append(generationId: string, events: readonly GenerationEvent[]): Promise<'appended' | 'closed'> {
    const lifetime = events.some(isClosing) ? this.retention : RUNNING_LIFETIME;
    const packed: PackedEvent[] = [];
    for (const event of events) packInto(packed, event);
    const entries = packed.flatMap((entry) => [lastSeqOf(entry), isPackedDeltas(entry) ? 0 : 1, JSON.stringify(entry)]);
    const { slots, replies } = (this.batch ??= this.openBatch());
    const slot = slots.get(slotOf(generationId)) ?? { index: slots.size, keys: [], entries: [] };
    slots.set(slotOf(generationId), slot);
    const place = slot.keys.push(this.key(generationId)) - 1;
    slot.entries.push(lifetime, packed.length, ...entries);
    const [error, appended] = (await replies)?.[slot.index] ?? [new Error('The log did not answer'), null];
    if (error !== null) throw error;
    return (appended as number[])[place] === 1 ? 'appended' : 'closed';
  }

  /** Everything that is appended in one turn of the event loop is one write to Redis. */
  private openBatch(): Batch {
    const slots = new Map<number, Slot>();
    const replies = new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.batch = null;
      const pipeline = this.redis.pipeline();
      for (const { keys, entries } of slots.values()) pipeline.appendEvents(keys.length, ...keys, ...entries);
      return pipeline.exec();
    });
    return { slots, replies };
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
    return `tanya:log:{${slotOf(generationId)}}:${generationId}`;
  }
}
