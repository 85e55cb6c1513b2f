import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { RunRegistry } from '../generation/live/run-registry.js';
import { GenerationStore } from '../generation/store/generation-store.js';
import { NodeStore } from './node-store.js';

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

/** Verifies after a stall which runs this node still owns, and fences the others. */
@Injectable()
export class VerifiedOwnership implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly guard: StallGuard;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly nodes: NodeStore,
    private readonly store: GenerationStore,
    private readonly registry: RunRegistry,
  ) {
    this.guard = new StallGuard(timings.nodeDead / 2, () => this.fenceEnded());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.guard.tick(), this.timings.nodeDead / 10);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** False after a stall, until Postgres has confirmed the runs. Their events are not emitted meanwhile. */
  get isVerified(): boolean {
    return this.guard.isVerified;
  }

  /** The heartbeat comes first: without one, the reaper of another node could end a run after it was verified. */
  private async fenceEnded(): Promise<void> {
    await this.nodes.beat();
    for (const id of await this.store.endedAmong(this.registry.all.map((run) => run.id))) {
      const run = this.registry.find(id);
      if (run !== undefined && !run.isEnding) run.abort('fenced');
    }
  }
}
