/**
 * The signal of one call: aborted by the caller, or by a clock that is wound for each wait of the call. One timer
 * serves all of them. Whoever sees the signal aborted throws its reason: the caller's, or the error given to `arm`.
 */
export class CallClock {
  private readonly controller = new AbortController();
  private readonly onCallerAbort = (): void => this.controller.abort(this.caller.reason);
  private timer: NodeJS.Timeout | null = null;
  private armedFor = 0;
  private paused = false;
  private late: () => Error = () => new Error('The call took too long');

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

  /** Starts the wait anew, or goes on with the one that is paused. */
  arm(milliseconds: number, late: () => Error): void {
    this.late = late;
    this.paused = false;
    if (this.timer && this.armedFor === milliseconds) {
      this.timer.refresh();
      return;
    }
    if (this.timer) clearTimeout(this.timer);
    this.armedFor = milliseconds;
    this.timer = setTimeout(() => {
      if (!this.paused) this.controller.abort(this.late());
    }, milliseconds);
  }

  /** While the caller is busy with what it got, no time of the upstream runs out. */
  pause(): void {
    this.paused = true;
  }

  /** Ends the waiting; the signal stays as it is. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.caller.removeEventListener('abort', this.onCallerAbort);
  }
}
