import type { Bus, Topic } from './bus.js';

interface Sharing {
  bus: Bus;
  /** Published after a change; other rooms may listen to it too. */
  changed: Topic<null>;
}

/** Rows that every node keeps in memory: read once at the start, and again after a change on any node. */
export class SharedTable<T> {
  private current: T | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly read: () => Promise<T>,
    private readonly sharing: Sharing,
  ) {
    sharing.bus.subscribe(sharing.changed, () => this.load());
    sharing.bus.poll(() => this.load());
  }

  /** The rows as read last. @throws Error before the first `load` */
  get value(): T {
    if (this.current === undefined) throw new Error('table cache read before its first load');
    return this.current;
  }

  /** Reads the rows again. Loads run one after the other, so that an older result never replaces a newer one. */
  load(): Promise<void> {
    const next = this.last.then(async () => {
      this.current = await this.read();
    });
    this.last = next.catch(() => undefined);
    return next;
  }

  /**
   * Brings a committed change into effect: on this node at once, on the others as soon as they hear of it, also when this node
   * cannot read it.
   */
  async announce(): Promise<void> {
    try {
      await this.load();
    } finally {
      await this.sharing.bus.publish(this.sharing.changed, null);
    }
  }
}
