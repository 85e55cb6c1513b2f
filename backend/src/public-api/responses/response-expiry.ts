import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { ResponseStore } from './response-store.js';

const BATCH = 500;

/** Deletes stored responses after `timings.storedResponse`, on every node. */
@Injectable()
export class ResponseExpiry implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: ResponseStore,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweep().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'response sweep failed; retrying at the next interval'),
      );
    }, this.timings.responseSweep).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    while ((await this.store.expire(this.timings.storedResponse / 1000, BATCH)) === BATCH);
  }
}
