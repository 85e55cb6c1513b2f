import type { RedisClient } from '../redis/redis-client.js';
import { countSubscribers } from '../redis/subscriber-counts.js';
import { channelOf } from './local-first-adapter.js';

/** Interval of the subscription count, ms; also how long events go out after the last remote socket closed. */
const REFRESH_MS = 1_000;

/** Age of a count after which its room is treated as subscribed, ms: the process stood still or Redis does not reply. */
const MAX_AGE_MS = 3_000;

interface Entry {
  isSubscribed: boolean;
  /** When the count was requested, ms of `performance.now()`. */
  countedAt: number;
  /** Whether the entry was read since the last refresh; unread entries are dropped. */
  isUsed: boolean;
}

const uncounted = (): Entry => ({ isSubscribed: true, countedAt: 0, isUsed: true });

/**
 * Cache of the rooms that other nodes subscribe to, so that events skip Redis while no other node has a socket in the
 * room. A join is announced by `noteJoin`; a leave shows in the next count of subscriptions, which asks Redis for all
 * rooms in one command. A lost announcement is corrected by that count too.
 */
export class RemoteSubscribers {
  private readonly rooms = new Map<string, Entry>();
  private readonly unverified: string[] = [];
  private readonly timer: NodeJS.Timeout;

  /** @param hasLocal whether this node holds a fully opened socket in the room */
  constructor(
    private readonly redis: RedisClient,
    private readonly hasLocal: (room: string) => boolean,
  ) {
    this.timer = setInterval(() => this.refresh(), REFRESH_MS).unref();
  }

  /** Whether another node may hold a socket in the room. True until Redis has confirmed the opposite. */
  has(room: string): boolean {
    const known = this.rooms.get(room);
    if (known !== undefined) {
      known.isUsed = true;
      return known.isSubscribed || performance.now() - known.countedAt > MAX_AGE_MS;
    }
    if (this.unverified.length === 0) setImmediate(() => void this.count(this.unverified.splice(0)));
    this.unverified.push(room);
    this.rooms.set(room, uncounted());
    return true;
  }

  /** Another node subscribed to the room. The new entry makes the result of a count in flight void. */
  noteJoin(room: string): void {
    if (this.rooms.has(room)) this.rooms.set(room, uncounted());
  }

  close(): void {
    clearInterval(this.timer);
  }

  private refresh(): void {
    for (const [room, entry] of this.rooms) {
      if (!entry.isUsed) this.rooms.delete(room);
      entry.isUsed = false;
    }
    void this.count([...this.rooms.keys()]);
  }

  private async count(rooms: string[]): Promise<void> {
    if (rooms.length === 0) return;
    const countedAt = performance.now();
    const asked = rooms.map((room) => ({ room, entry: this.rooms.get(room), wasLocal: this.hasLocal(room) }));
    // Without a reply every room counts as subscribed.
    const counts = await countSubscribers(this.redis, rooms.map(channelOf)).catch((): number[] => []);
    asked.forEach(({ room, entry, wasLocal }, index) => {
      const own = wasLocal && this.hasLocal(room) ? 1 : 0;
      if (entry !== undefined) Object.assign(entry, { isSubscribed: (counts[index] ?? Infinity) > own, countedAt });
    });
  }
}
