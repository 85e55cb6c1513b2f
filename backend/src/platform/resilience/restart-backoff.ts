/** Delay after the first failure, ms. */
const FIRST_MS = 1_000;

/** Longest delay, ms. */
const MAX_MS = 30_000;

/** A process that ran for this long had started; its end begins a new series, ms. */
const LIVED_MS = 30_000;

/**
 * Exponential backoff of the restarts of a process: 1 s, doubled after each short run, 30 s at most.
 * Own code: retry packages count failed calls, while here a run of 30 s or more begins a new series.
 */
export class RestartBackoff {
  private failures = 0;

  /** @param ranMs how long the process ran; @returns delay before its restart, ms */
  delayAfter(ranMs: number): number {
    if (ranMs >= LIVED_MS) this.failures = 0;
    const delay = Math.min(FIRST_MS * 2 ** this.failures, MAX_MS);
    this.failures += 1;
    return delay;
  }
}
