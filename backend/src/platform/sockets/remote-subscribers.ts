import type { Redis } from 'ioredis';
import type { Bus } from '../bus/bus.js';
import { ownerRoom, type Owner } from '../../identity/identity.js';
import { channelOf } from './local-first-adapter.js';

/** How long pieces are published on after the last one elsewhere has gone, ms. */
const REFRESH = 1_000;

interface Entry {
  elsewhere: boolean;
  isUsed: boolean;
}

/**
 * Whether sockets of an owner may be held by other processes, so that the pieces of an answer go there only when somebody
 * is there to see them. Who comes is announced; who has gone shows when Redis is asked, about all owners at once, as an
 * answer begins and then once a second.
 */
export class RemoteSubscribers {
  private readonly owners = new Map<Owner, Entry>();
  private readonly unasked: Owner[] = [];
  private readonly timer: NodeJS.Timeout;

  /** @param isHere whether this process holds sockets of the owner whose opening is over */
  constructor(
    private readonly redis: Redis,
    private readonly bus: Bus,
    private readonly isHere: (owner: Owner) => boolean,
  ) {
    this.timer = setInterval(() => this.refresh(), REFRESH).unref();
    bus.subscribe('owner:listening', ({ owner }) => this.notice(owner));
  }

  of(owner: Owner): boolean {
    const known = this.owners.get(owner);
    if (known !== undefined) {
      known.isUsed = true;
      return known.elsewhere;
    }
    if (this.unasked.length === 0) setImmediate(() => void this.ask(this.unasked.splice(0)));
    this.unasked.push(owner);
    // Until it is known, others may listen.
    this.owners.set(owner, { elsewhere: true, isUsed: true });
    return true;
  }

  /** Tells whoever writes for them that this process listens now. Its subscription has to be in force. */
  announce(owner: Owner): Promise<void> {
    return this.bus.publish('owner:listening', { owner });
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** A new entry: the answer to a question that was asked before goes to the old one, and no longer matters. */
  private notice(owner: Owner): void {
    if (this.owners.has(owner)) this.owners.set(owner, { elsewhere: true, isUsed: true });
  }

  private refresh(): void {
    for (const [owner, entry] of this.owners) {
      if (!entry.isUsed) this.owners.delete(owner);
      entry.isUsed = false;
    }
    void this.ask([...this.owners.keys()]);
  }

  private async ask(owners: Owner[]): Promise<void> {
    if (owners.length === 0) return;
    const asked = owners.map((owner) => ({ owner, entry: this.owners.get(owner), wasHere: this.isHere(owner) }));
    const answer: unknown = await this.redis
      .call('PUBSUB', 'SHARDNUMSUB', ...owners.map((owner) => channelOf(ownerRoom(owner))))
      .catch(() => undefined);
    // Channel, count, channel, count; without an answer everybody may have listeners.
    const counts = Array.isArray(answer) ? answer.filter((_, index) => index % 2 === 1).map(Number) : [];
    asked.forEach(({ owner, entry, wasHere }, index) => {
      const own = wasHere && this.isHere(owner) ? 1 : 0;
      if (entry !== undefined) entry.elsewhere = (counts[index] ?? Infinity) > own;
    });
  }
}
