/**
 * The steps of pacing. `period` is the beat in ms, null reads without pacing. A step is entered when the event-loop
 * utilisation reaches `enter`. Pacing itself lowers the utilisation two to three times, so a step is left only when the
 * load would stay below `enter` without it: below `leave` for LEAVE_AFTER_MS.
 */
const STEPS = [
  { period: null, enter: 0, leave: 0 },
  { period: 33, enter: 0.35, leave: 0.12 },
  { period: 50, enter: 0.6, leave: 0.35 },
  { period: 100, enter: 0.8, leave: 0.4 },
] as const;

const LEAVE_AFTER_MS = 5_000;

/** Chooses the beat by the load. Pure: time and utilisation are arguments. */
export class Cadence {
  private step = 0;
  private lowSince: number | null = null;

  /** The beat in ms; null while nothing is paced. */
  get period(): number | null {
    return STEPS[this.step]!.period;
  }

  /**
   * @param utilisation of the event loop since the last call, 0 to 1
   * @param now in ms
   */
  update(utilisation: number, now: number): void {
    const entered = STEPS.findLastIndex(({ enter }) => utilisation >= enter);
    if (entered > this.step) {
      this.step = entered;
      this.lowSince = null;
      return;
    }
    if (this.step === 0 || utilisation >= STEPS[this.step]!.leave) {
      this.lowSince = null;
      return;
    }
    this.lowSince ??= now;
    if (now - this.lowSince < LEAVE_AFTER_MS) return;
    this.step -= 1;
    this.lowSince = null;
  }
}
