import type { DeltaType } from './delta-text.js';

/** Period of the flush clock in ms: text that grows 30 times a second looks continuous. */
const PERIOD_MS = 33;

/** Deltas with a shorter mean gap, in ms, are read by the clock. */
const FAST_GAP_MS = 16;

/** A tick that is late by more, in ms, means that the process is overloaded. */
const MAX_LATENESS_MS = 15;

/** Weight of one more gap in the moving average. */
const GAP_WEIGHT = 0.2;

/** The one flush clock of a process. A timer for each answer would cost more than batching saves. */
export class FlushClock {
  private readonly atEnd = new Set<DeltaBatcher>();
  private readonly timer: NodeJS.Timeout;
  private lastTick = performance.now();
  private next: { tick: Promise<void>; resolve: () => void } | null = null;
  private isClosed = false;
  /** Whether the event loop lags; then every answer is read by the clock. */
  isLate = false;

  constructor() {
    this.timer = setInterval(() => this.tick(), PERIOD_MS).unref();
  }

  /** Flushes a batcher at the end of the current turn of the event loop. */
  flushAtEndOfTurn(batcher: DeltaBatcher): void {
    if (this.atEnd.size === 0) setImmediate(() => this.flushBatchers());
    this.atEnd.add(batcher);
  }

  /** Resolves at the next tick, for all callers together; at once when the clock is closed. */
  nextTick(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    if (this.next === null) {
      let resolve!: () => void;
      const tick = new Promise<void>((done) => (resolve = done));
      this.next = { tick, resolve };
    }
    return this.next.tick;
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.next?.resolve();
    this.flushBatchers();
  }

  private tick(): void {
    const now = performance.now();
    this.isLate = now - this.lastTick > PERIOD_MS + MAX_LATENESS_MS;
    this.lastTick = now;
    this.next?.resolve();
    this.next = null;
  }

  private flushBatchers(): void {
    const batchers = [...this.atEnd];
    this.atEnd.clear();
    for (const batcher of batchers) batcher.flush();
  }
}

/**
 * Joins the deltas of one answer into fewer events. The first delta is emitted at once. A slow answer is flushed at the
 * end of each turn of the event loop. A fast answer, and every answer while the event loop lags, is read once per tick
 * of the flush clock.
 */
export class DeltaBatcher {
  private held: { type: DeltaType; text: string } | null = null;
  private lastAt: number | null = null;
  private gap = PERIOD_MS;

  constructor(
    private readonly clock: FlushClock,
    private readonly emit: (type: DeltaType, text: string) => void,
  ) {}

  push(type: DeltaType, text: string): void {
    const now = performance.now();
    const isFirst = this.lastAt === null;
    if (this.lastAt !== null) this.gap += GAP_WEIGHT * (Math.min(now - this.lastAt, PERIOD_MS) - this.gap);
    this.lastAt = now;
    if (this.held !== null && this.held.type !== type) this.flush();
    if (this.held !== null) this.held.text += text;
    else if (isFirst) this.emit(type, text);
    else this.held = { type, text };
  }

  /**
   * Call it after all deltas of one read are pushed.
   * @returns resolves when the next read may start; null for at once
   */
  pause(): Promise<void> | null {
    if (this.held === null) return null;
    if (this.gap > FAST_GAP_MS && !this.clock.isLate) {
      this.clock.flushAtEndOfTurn(this);
      return null;
    }
    this.flush();
    return this.clock.nextTick();
  }

  /** Emits the held text. */
  flush(): void {
    if (this.held === null) return;
    const { type, text } = this.held;
    this.held = null;
    this.emit(type, text);
  }
}
