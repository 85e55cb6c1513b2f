import { type GenerationEvent, isClosing } from '@tanya/contract';
import { Cluster, type Result } from 'ioredis';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { EventLog, LogEvent } from './generation-log.js';
import { lastSeqOf, packInto, type PackedEvent, unpackAfter } from './packed-events.js';

/**
 * Appends to the logs of one slot. A log is a Redis stream; an entry's id is the entry's last sequence number, so Redis
 * keeps the order. Entries that the log already has are skipped, and a closed log takes no entry. A closing entry is
 * added whatever its number: the reaper may have read the log before the stalled node's last batch, and that node is
 * fenced only by a closed log.
 * KEYS: the logs. ARGV, for each log: lifetime in ms, number of entries, then for each entry its last sequence number,
 * whether it closes the log (0 or 1) and its JSON. Returns 1 for each log, 0 for a closed one.
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
      local seq, closing = tonumber(ARGV[i]), ARGV[i + 1] == '1'
      if seq > lastSeq or closing then
        lastSeq = math.max(seq, lastSeq + 1)
        redis.call('XADD', key, lastSeq .. '-1', closing and 'end' or 'e', ARGV[i + 2])
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

/** One command: the appends to the logs of one slot. */
interface Slot {
  index: number;
  keys: string[];
  entries: (string | number)[];
}

type Reply = [error: Error | null, appended: unknown];

/** The appends of one turn of the event loop, and the replies to their commands. */
interface Batch {
  slots: Map<number, Slot>;
  replies: Promise<Reply[] | null>;
}

/** Logs are spread over this number of slots: a cluster has few shards, and a flush sends one command per slot. */
const SLOTS = 64;

const slotOf = (generationId: string): number => Number.parseInt(generationId.slice(0, 2), 16) % SLOTS;

/** Lifetime of a running generation's log in ms, longer than any pause that the provider timeouts allow. */
const RUNNING_LIFETIME = 60 * 60 * 1000;

export class RedisGenerationLog<E extends LogEvent = GenerationEvent> implements EventLog<E> {
  private batch: Batch | null = null;

  /** @param retention of a closed log in ms */
  constructor(
    private readonly redis: RedisClient,
    private readonly retention: number,
  ) {
    redis.defineCommand('appendEvents', { lua: APPEND });
  }

  async append(generationId: string, events: readonly E[]): Promise<'appended' | 'closed'> {
    const lifetime = events.some(isClosing) ? this.retention : RUNNING_LIFETIME;
    const packed: PackedEvent[] = [];
    for (const event of events) packInto(packed, event);
    const entries = packed.flatMap((entry) => [lastSeqOf(entry), isClosing(entry) ? 1 : 0, JSON.stringify(entry)]);
    const { slots, replies } = (this.batch ??= this.openBatch());
    const slot = slots.get(slotOf(generationId)) ?? { index: slots.size, keys: [], entries: [] };
    slots.set(slotOf(generationId), slot);
    const index = slot.keys.push(this.key(generationId)) - 1;
    slot.entries.push(lifetime, packed.length, ...entries);
    const [error, appended] = (await replies)?.[slot.index] ?? [new Error('generation log did not reply'), null];
    if (error !== null) throw error;
    return (appended as number[])[index] === 1 ? 'appended' : 'closed';
  }

  private openBatch(): Batch {
    const slots = new Map<number, Slot>();
    const replies = new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.batch = null;
      return this.send([...slots.values()]);
    });
    return { slots, replies };
  }

  /** One pipeline; in a cluster one command for each slot, since a pipeline would have to be served by one primary. */
  private send(slots: Slot[]): Promise<Reply[] | null> {
    if (this.redis instanceof Cluster) {
      const cluster = this.redis;
      return Promise.all(
        slots.map(({ keys, entries }) =>
          cluster.appendEvents(keys.length, ...keys, ...entries).then(
            (appended): Reply => [null, appended],
            (error: Error): Reply => [error, null],
          ),
        ),
      );
    }
    const pipeline = this.redis.pipeline();
    for (const { keys, entries } of slots) pipeline.appendEvents(keys.length, ...keys, ...entries);
    return pipeline.exec();
  }

  async readAfter(generationId: string, afterSeq: number): Promise<E[] | null> {
    const entries = await this.redis.xrange(this.key(generationId), `${afterSeq + 1}-0`, '+');
    const events = unpackAfter(
      entries.map(([, [, json]]) => JSON.parse(json!) as PackedEvent),
      afterSeq,
    ) as E[];
    // A failover can lose entries in the middle: the last ones of the old primary, before those of the new one.
    if (events.some(({ seq }, index) => seq !== afterSeq + 1 + index)) return null;
    if (events.length > 0) return events;
    const last = await this.lastSeq(generationId);
    // Events were appended between the two reads.
    if (entries.length === 0 && last > afterSeq) return this.readAfter(generationId, afterSeq);
    return last === afterSeq && afterSeq > 0 ? [] : null;
  }

  async lastSeq(generationId: string): Promise<number> {
    const [last] = await this.redis.xrevrange(this.key(generationId), '+', '-', 'COUNT', 1);
    return last === undefined ? 0 : Number.parseInt(last[0], 10);
  }

  private key(generationId: string): string {
    return `tanya:log:{${slotOf(generationId)}}:${generationId}`;
  }
}
