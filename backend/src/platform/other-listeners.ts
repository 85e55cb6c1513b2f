import type { Redis } from 'ioredis';
import { ownerRoom, type Owner } from './identity.js';

/** An answer lasts this long at least, ms: who has begun to listen elsewhere is noticed in time for the most of it. */
const REFRESH = 1_000;

/** Where Socket.IO's sharded adapter publishes what goes to one room of the page's namespace. */
const channelOf = (owner: Owner): string => `socket.io#/#${ownerRoom(owner)}#`;

/**
 * Whether sockets of an owner may be held by other processes. Redis is asked about all owners at once, when an answer
 * begins and then once a second, so that the pieces of an answer go there only when somebody is there to see them.
 * Somebody who comes in between misses pieces, notices it by their numbers and asks for them.
 */
export class OtherListeners {
  /** Until it is known, others may listen. */
  private readonly owners = new Map<Owner, { elsewhere: boolean; isUsed: boolean }>();
  private readonly unknown = new Set<Owner>();
  private readonly timer: NodeJS.Timeout;

  /** @param isHere whether this process holds sockets of the owner */
  constructor(
    private readonly redis: Redis,
    private readonly isHere: (owner: Owner) => boolean,
  ) {
    this.timer = setInterval(() => this.refresh(), REFRESH).unref();
  }

  of(owner: Owner): boolean {
    const known = this.owners.get(owner);
    if (known !== undefined) {
      known.isUsed = true;
      return known.elsewhere;
    }
    if (this.unknown.size === 0) setImmediate(() => void this.ask([...this.unknown]));
    this.unknown.add(owner);
    return true;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private refresh(): void {
    for (const [owner, entry] of this.owners) {
      if (!entry.isUsed) this.owners.delete(owner);
      entry.isUsed = false;
    }
    void this.ask([...this.owners.keys()]);
  }

  private async ask(owners: Owner[]): Promise<void> {
    for (const owner of owners) this.unknown.delete(owner);
    if (owners.length === 0) return;
    const answer: unknown = await this.redis
      .call('PUBSUB', 'SHARDNUMSUB', ...owners.map(channelOf))
      .catch(() => undefined);
    // Channel, count, channel, count; without an answer everybody may have listeners.
    const counts = Array.isArray(answer) ? answer.filter((_, index) => index % 2 === 1).map(Number) : [];
    owners.forEach((owner, index) => {
      const elsewhere = (counts[index] ?? Infinity) > (this.isHere(owner) ? 1 : 0);
      this.owners.set(owner, { elsewhere, isUsed: this.owners.get(owner)?.isUsed ?? true });
    });
  }
}
