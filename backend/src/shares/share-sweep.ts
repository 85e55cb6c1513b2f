import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TIMINGS, type Timings } from '../config/timings.js';
import { FilesService } from '../files/files.service.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { EXPIRED_BATCH, ShareStore } from './share-store.js';

/** Deletes expired snapshots with their files. Runs on every node; deleting twice is harmless. */
@Injectable()
export class ShareSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: ShareStore,
    private readonly files: FilesService,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweep().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'sweep of expired share links failed; retrying at the next interval'),
      );
    }, this.timings.fileSweep).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    for (;;) {
      const ids = await this.store.expired();
      await this.files.deleteContentsOfShares(ids, () => this.store.delete(ids));
      if (ids.length < EXPIRED_BATCH) return;
    }
  }
}
