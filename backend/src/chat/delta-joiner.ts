import type { ProviderEvent } from '../providers/provider.js';

type DeltaType = Extract<ProviderEvent, { type: 'text-delta' | 'reasoning-delta' }>['type'];

/** How often held pieces go out, ms: thirty times a second looks continuous. */
const PERIOD = 33;

/** Pieces that come closer together than this are faster than anybody sees, ms. */
const FAST_GAP = 16;

/** A clock that is later than this, ms, shows a process with more to do than time for it. */
const LATE = 15;

/** How much one more gap counts in the average. */
const WEIGHT = 0.2;

/** One clock for all answers of a process: a timer each would cost more than the joining saves. */
export class DeltaClock {
  private readonly waiting = new Set<DeltaJoiner>();
  private readonly inTurn = new Set<DeltaJoiner>();
  private readonly timer: NodeJS.Timeout;
  private last = performance.now();
  /** The process lags, so every answer's pieces are joined. */
  isLate = false;

  constructor() {
    this.timer = setInterval(() => this.tick(), PERIOD).unref();
  }

  /** Flushes at the next beat. */
  atBeat(joiner: DeltaJoiner): void {
    this.waiting.add(joiner);
  }

  /** Flushes once the process has read everything that is there to be read, which is no wait that anybody sees. */
  atEndOfTurn(joiner: DeltaJoiner): void {
    if (this.inTurn.size === 0) setImmediate(() => release(this.inTurn));
    this.inTurn.add(joiner);
  }

  close(): void {
    clearInterval(this.timer);
    release(this.waiting);
    release(this.inTurn);
  }

  private tick(): void {
    const now = performance.now();
    this.isLate = now - this.last > PERIOD + LATE;
    this.last = now;
    release(this.waiting);
  }
}

function release(waiting: Set<DeltaJoiner>): void {
  const joiners = [...waiting];
  waiting.clear();
  for (const joiner of joiners) joiner.flush();
}

/**
 * Decides when the pieces of one answer go out. The first goes at once. Those of a slow answer wait for the end of the
 * event loop's turn, which joins what a busy process read together; those of a fast one, or of any while the process
 * lags, wait for the clock.
 */
export class DeltaJoiner {
  private held: { type: DeltaType; text: string } | null = null;
  private lastAt: number | null = null;
  private gap = PERIOD;

  constructor(
    private readonly clock: DeltaClock,
    private readonly emit: (type: DeltaType, text: string) => void,
  ) {}

  push(type: DeltaType, text: string): void {
    const now = performance.now();
    const isFirst = this.lastAt === null;
    if (this.lastAt !== null) this.gap += WEIGHT * (Math.min(now - this.lastAt, PERIOD) - this.gap);
    this.lastAt = now;
    if (this.held !== null && this.held.type !== type) this.flush();
    if (this.held !== null) this.held.text += text;
    else if (isFirst) this.emit(type, text);
    else {
      this.held = { type, text };
      if (this.gap > FAST_GAP && !this.clock.isLate) this.clock.atEndOfTurn(this);
      else this.clock.atBeat(this);
    }
  }

  /** What is held goes out now. */
  flush(): void {
    if (this.held === null) return;
    const { type, text } = this.held;
    this.held = null;
    this.emit(type, text);
  }
}
