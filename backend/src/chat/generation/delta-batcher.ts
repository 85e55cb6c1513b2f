import type { ProviderEvent } from '../../providers/provider.js';

type DeltaType = Extract<ProviderEvent, { type: 'text-delta' | 'reasoning-delta' }>['type'];

/** How often an answer that is faster than anybody reads goes on, ms: thirty times a second looks continuous. */
const PERIOD = 33;

/** Pieces that come closer together than this are faster than anybody sees, ms. */
const FAST_GAP = 16;

/** A clock that is later than this, ms, shows a process with more to do than time for it. */
const LATE = 15;

/** How much one more gap counts in the average. */
const WEIGHT = 0.2;

/** One clock for all answers of a process: a timer each would cost more than the joining saves. */
export class FlushClock {
  private readonly inTurn = new Set<DeltaBatcher>();
  private readonly timer: NodeJS.Timeout;
  private last = performance.now();
  private beat: { passed: Promise<void>; pass: () => void } | null = null;
  private isClosed = false;
  /** The process lags, so every answer's pieces are joined. */
  isLate = false;

  constructor() {
    this.timer = setInterval(() => this.tick(), PERIOD).unref();
  }

  /** Flushes once the process has read everything that is there to be read, which is no wait that anybody sees. */
  atEndOfTurn(batcher: DeltaBatcher): void {
    if (this.inTurn.size === 0) setImmediate(() => this.release());
    this.inTurn.add(batcher);
  }

  /** Resolves at the next beat, the same for all; once the clock is closed at once. */
  nextBeat(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    if (this.beat === null) {
      let pass!: () => void;
      const passed = new Promise<void>((resolve) => (pass = resolve));
      this.beat = { passed, pass };
    }
    return this.beat.passed;
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.beat?.pass();
    this.release();
  }

  private tick(): void {
    const now = performance.now();
    this.isLate = now - this.last > PERIOD + LATE;
    this.last = now;
    this.beat?.pass();
    this.beat = null;
  }

  private release(): void {
    const batchers = [...this.inTurn];
    this.inTurn.clear();
    for (const batcher of batchers) batcher.flush();
  }
}

/**
 * Decides when the pieces of one answer go out, and when more of it is read. The first goes at once. Those of a slow
 * answer wait for the end of the event loop's turn, which joins what a busy process read together; a fast one, or any
 * while the process lags, is read by the clock, so that what came in between is one piece.
 */
export class DeltaBatcher {
  private held: { type: DeltaType; text: string } | null = null;
  private lastAt: number | null = null;
  private gap = PERIOD;

  constructor(
    private readonly clock: FlushClock,
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
    else this.held = { type, text };
  }

  /**
   * After everything that was read at one go has been pushed.
   * @returns when to read on; null for at once
   */
  pause(): Promise<void> | null {
    if (this.held === null) return null;
    if (this.gap > FAST_GAP && !this.clock.isLate) {
      this.clock.atEndOfTurn(this);
      return null;
    }
    this.flush();
    return this.clock.nextBeat();
  }

  /** What is held goes out now. */
  flush(): void {
    if (this.held === null) return;
    const { type, text } = this.held;
    this.held = null;
    this.emit(type, text);
  }
}
