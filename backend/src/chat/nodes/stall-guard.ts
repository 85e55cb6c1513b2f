/**
 * Notices that this process stood still (SIGSTOP, a suspended machine, a blocked event loop) for so long that others may
 * have taken it for dead and ended its answers. From then until it has asked it is not sure of them.
 */
export class StallGuard {
  private lastSure: number;
  private isAsking = false;

  /**
   * @param longest ms without a tick after which it asks
   * @param ask finds out what became of the answers; tried again at the next tick when it fails
   */
  constructor(
    private readonly longest: number,
    private readonly ask: () => Promise<void>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lastSure = now();
  }

  /** Told from the clock, not by a tick: after a sleep what the network brought comes first. */
  get isSure(): boolean {
    return this.now() - this.lastSure < this.longest;
  }

  /** To be called again and again, far more often than `longest`. */
  async tick(): Promise<void> {
    if (this.isAsking) return;
    if (!this.isSure) {
      this.isAsking = true;
      try {
        await this.ask();
      } catch {
        return;
      } finally {
        this.isAsking = false;
      }
    }
    this.lastSure = this.now();
  }
}
