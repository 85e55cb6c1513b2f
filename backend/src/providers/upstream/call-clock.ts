/** A timer that fires later than this was delayed by a blocked event loop. */
const MAX_LATENESS_MS = 50;

/**
 * Abort signal of one call that combines the caller's signal with a timeout. The timeout is restarted for each phase of
 * the call and uses a single timer. The reason of the signal is the caller's reason or the error that `arm` was given.
 */
export class CallClock {
  private readonly controller = new AbortController();
  private readonly onCallerAbort = (): void => this.controller.abort(this.caller.reason);
  private timer: NodeJS.Timeout | null = null;
  private armedFor = 0;
  private armedAt = 0;
  private isExtended = false;
  private createError: () => Error = () => new Error('The call took too long');

  constructor(private readonly caller: AbortSignal) {
    if (caller.aborted) this.onCallerAbort();
    else caller.addEventListener('abort', this.onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get abortedByCaller(): boolean {
    return this.caller.aborted;
  }

  /**
   * Restarts the timeout. `onTimeout` creates the error of an expired timeout. A running timer of the same length stays and
   * waits for the rest when it fires: each token restarts the timeout.
   */
  arm(milliseconds: number, onTimeout: () => Error): void {
    this.createError = onTimeout;
    this.isExtended = false;
    this.armedAt = performance.now();
    if (this.timer === null || this.armedFor !== milliseconds) this.wait(milliseconds);
    this.armedFor = milliseconds;
  }

  /** Stops the timer; the signal keeps its state. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.caller.removeEventListener('abort', this.onCallerAbort);
  }

  private wait(milliseconds: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.expire(), milliseconds);
  }

  /** A late timer means that this process was blocked and could not read: the upstream gets the time once more. */
  private expire(): void {
    const lateness = performance.now() - this.armedAt - this.armedFor;
    if (lateness < 0) return this.wait(-lateness);
    if (this.isExtended || lateness <= MAX_LATENESS_MS) return this.controller.abort(this.createError());
    this.timer = null;
    this.arm(this.armedFor, this.createError);
    this.isExtended = true;
  }
}
