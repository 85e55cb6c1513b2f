/**
 * The steps of pacing. `period` is the beat in ms, null reads without pacing. A step is entered from the one before when
 * the event-loop utilisation reaches `enter`. Pacing itself lowers the utilisation, so a step is left only when the
 * utilisation would stay well below `enter` without it: below `leave` for LEAVE_AFTER_MS. `relief` is the measured factor
 * between the utilisation with the step and with the one before.
 */
const STEPS = [
  { period: null, enter: 0, leave: 0, relief: 1 },
  { period: 33, enter: 0.35, leave: 0.12, relief: 0.45 },
  { period: 50, enter: 0.6, leave: 0.33, relief: 0.73 },
  { period: 100, enter: 0.8, leave: 0.4, relief: 0.67 },
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
   * Enters at most one step, so that a short burst, as of many new connections, is not followed by the slowest beat.
   * Leaves as many as the load allows.
   * @param utilisation of the event loop since the last call, 0 to 1
   * @param now in ms
   */
  update(utilisation: number, now: number): void {
    const next = STEPS[this.step + 1];
    if (next !== undefined && utilisation >= next.enter) {
      this.step += 1;
      this.lowSince = null;
      return;
    }
    const lowest = this.lowestFor(utilisation);
    if (lowest === this.step) {
      this.lowSince = null;
      return;
    }
    this.lowSince ??= now;
    if (now - this.lowSince < LEAVE_AFTER_MS) return;
    this.step = lowest;
    this.lowSince = null;
  }

  private lowestFor(utilisation: number): number {
    let step = this.step;
    for (let expected = utilisation; step > 0 && expected < STEPS[step]!.leave; step -= 1)
      expected /= STEPS[step]!.relief;
    return step;
  }
}
