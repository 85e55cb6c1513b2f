import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TIMINGS, type Timings } from '../config/timings.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { ImportStore } from './import-store.js';
import { ImportsService } from './imports.service.js';

/** Ends the imports of dead nodes and completes their undos. Runs on every node. */
@Injectable()
export class ImportSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: ImportStore,
    private readonly imports: ImportsService,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweep().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'sweep of imports failed; retrying at the next interval'),
      );
    }, this.timings.nodeDead).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    await this.store.failDead();
    for (const { id, userId } of await this.store.unfinishedUndos()) await this.imports.deleteThreads(userId, id);
  }
}
