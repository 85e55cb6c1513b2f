/**
 * Memory of one server process without its children, MB: 512 of V8's heap (`NODE_OPTIONS` of the Dockerfile), the rest for
 * buffers, code and native memory. The figures of docs/operations.md were measured.
 */
export const SERVER_MEGABYTES = 768;

/**
 * Memory of all children of one server process together, MB. The largest task and the imports that run at once fit, so
 * that imports, which take minutes, never keep a picture waiting.
 */
export const CHILDREN_MEGABYTES = 1_280;

/** Starts that wait for memory. Each kind of task admits few at once, so that more of them wait only after an error. */
const MAX_WAITING = 50;

/** Too many starts wait for memory. */
export class MemoryBudgetFull extends Error {
  constructor() {
    super('too many processes wait for memory');
  }
}

/** Gives a share back. Further calls do nothing. */
export type Release = () => void;

interface Waiting {
  megabytes: number;
  admit: () => void;
}

/**
 * Memory that the children of this process share: those that read files, pages and exports, and those that calculate. A
 * start waits until its share is free, in the order of the calls.
 */
export class MemoryBudget {
  private free: number;
  private readonly waiting: Waiting[] = [];
  private readonly idle = new Set<() => void>();

  /** @param total MB */
  constructor(private readonly total = CHILDREN_MEGABYTES) {
    this.free = total;
  }

  get used(): number {
    return this.total - this.free;
  }

  /** Registers what ends children without a task. It is called when a start has to wait. */
  onShortage(endIdle: () => void): void {
    this.idle.add(endIdle);
  }

  /**
   * Waits for a share, which counts until it is released.
   * @param megabytes at most the whole budget
   * @throws MemoryBudgetFull, the reason of the signal
   */
  async reserve(megabytes: number, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (megabytes > this.total) throw new RangeError(`${megabytes} MB are more than the budget`);
    if (this.waiting.length > 0 || megabytes > this.free) await this.wait(megabytes, signal);
    else this.free -= megabytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.free += megabytes;
      this.admitNext();
    };
  }

  private wait(megabytes: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.waiting.length >= MAX_WAITING) throw new MemoryBudgetFull();
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        megabytes,
        admit: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(signal!.reason as Error);
        this.admitNext();
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.push(entry);
      this.endIdle();
    });
  }

  private admitNext(): void {
    for (let next = this.waiting[0]; next !== undefined && next.megabytes <= this.free; next = this.waiting[0]) {
      this.waiting.shift();
      this.free -= next.megabytes;
      next.admit();
    }
    if (this.waiting.length > 0) this.endIdle();
  }

  private endIdle(): void {
    for (const endIdle of this.idle) endIdle();
  }
}
