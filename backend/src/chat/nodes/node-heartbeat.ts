import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { RunRegistry } from '../generation/live/run-registry.js';
import { NodeStore } from './node-store.js';

/** Interval at which rows of dead nodes are deleted, ms. */
const DELETION_MS = 60 * 60_000;

/** The heartbeat of this node. `OrphanReaper` stores it at intervals, until the last run of the node has ended. */
@Injectable()
export class NodeHeartbeat implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Since when Postgres has answered without a failure, epoch ms; null while it is unavailable. */
  private healthySince: number | null = null;

  constructor(
    private readonly store: NodeStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly runs: RunRegistry,
    private readonly background: BackgroundWork,
  ) {}

  onModuleInit(): void {
    this.background.repeat('deletion of dead nodes', DELETION_MS, () => this.store.deleteOldNodes());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.beat();
  }

  /** Removes the node once its last run has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.runs.drain();
    await this.store.remove().catch(() => undefined);
  }

  /** Milliseconds for which Postgres has been available without a break. */
  get healthyFor(): number {
    return this.healthySince === null ? 0 : Date.now() - this.healthySince;
  }

  /** @returns whether Postgres took the heartbeat; false after the node was removed */
  async beat(): Promise<boolean> {
    try {
      if (!(await this.store.beat())) return false;
      this.healthySince ??= Date.now();
      return true;
    } catch (error) {
      if (this.healthySince !== null) this.logger.warn({ err: error }, 'heartbeat failed; the reaper pauses');
      this.healthySince = null;
      return false;
    }
  }
}
