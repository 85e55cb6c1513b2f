/** The steps of pacing. `period` is the beat in ms, null reads without pacing. `enter` is the utilisation at which a step begins. */
const STEPS = [
  { period: null, enter: 0 },
  { period: 33, enter: 0.35 },
  { period: 50, enter: 0.6 },
  { period: 100, enter: 0.8 },
] as const;

const LEAVE_AFTER_MS = 5_000;

/** A step is left when the load without it stays below this share of its `enter`. */
const LEAVE_BELOW = 0.8;

/**
 * CPU time of one more read with its decode and its emit, s. Measured with `npm run bench` at 200 × 50 tokens a second: 100 µs
 * a token without pacing, 36 µs and 0.21 reads a token at 100 ms.
 */
const SECONDS_A_READ = 80e-6;

/** One second of load, as sampled. */
export interface Load {
  /** Share of a core that the event loop uses, 0 to 1. */
  utilisation: number;
  /** Reads of paced sockets per second. */
  reads: number;
  /** Pieces per second that arrived in a read together with an earlier one, and so cost no read of their own. */
  joined: number;
}

/** Chooses the beat by the load. Pure: time and load are arguments. */
export class Cadence {
  private step = 0;
  private lowSince: number | null = null;

  /** The beat in ms; null while nothing is paced. */
  get period(): number | null {
    return STEPS[this.step]!.period;
  }

  /**
   * Enters at most one step, so that a short burst, as of many new connections, is not followed by the slowest beat.
   * Leaves as many steps as the load allows.
   * @param now in ms
   */
  update(load: Load, now: number): void {
    const next = STEPS[this.step + 1];
    if (next !== undefined && load.utilisation >= next.enter) {
      this.step += 1;
      this.lowSince = null;
      return;
    }
    const lowest = STEPS.findIndex((_, step) => step === this.step || this.suffices(step, load));
    if (lowest === this.step) {
      this.lowSince = null;
      return;
    }
    this.lowSince ??= now;
    if (now - this.lowSince < LEAVE_AFTER_MS) return;
    this.step = lowest;
    this.lowSince = null;
  }

  /** Pacing lowers the utilisation, so a lower step is judged by the utilisation that its additional reads would lead to. */
  private suffices(step: number, { utilisation, reads, joined }: Load): boolean {
    const pieces = reads + joined;
    const { period } = STEPS[step]!;
    const readsThen = period === null ? pieces : Math.min(pieces, (reads * this.period!) / period);
    return utilisation + (readsThen - reads) * SECONDS_A_READ < STEPS[step + 1]!.enter * LEAVE_BELOW;
  }
}
