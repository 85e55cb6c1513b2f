/**
 * Detects that this process stalled (SIGSTOP, a suspended machine, a blocked event loop) for so long that other nodes may
 * have ended its generations. Ownership is unverified from then until `verify` has succeeded.
 */
export class StallGuard {
  private lastVerified: number;
  private isVerifying = false;

  /**
   * @param maxStall ms without a tick after which ownership is unverified
   * @param verify checks the runs against Postgres; when it fails, the next tick tries again
   */
  constructor(
    private readonly maxStall: number,
    private readonly verify: () => Promise<void>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lastVerified = now();
  }

  /** Computed from the clock: after a stall, network events may run before the next tick. */
  get isVerified(): boolean {
    return this.now() - this.lastVerified < this.maxStall;
  }

  /** Call it at intervals far shorter than `maxStall`. */
  async tick(): Promise<void> {
    if (this.isVerifying) return;
    if (!this.isVerified) {
      this.isVerifying = true;
      try {
        await this.verify();
      } catch {
        return;
      } finally {
        this.isVerifying = false;
      }
    }
    this.lastVerified = this.now();
  }
}
