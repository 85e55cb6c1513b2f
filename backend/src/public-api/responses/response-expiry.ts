import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { API_LIMITS } from '@tanya/contract';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { ResponseStore } from './response-store.js';

const BATCH = 500;

/** Insertions of one account on this node between two checks of its bounds. A check reads all rows of the account. */
const CHECK_INTERVAL = 20;

/** Deletes stored responses after `timings.storedResponse`, and the oldest ones of an account above its bounds, on every node. */
@Injectable()
export class ResponseExpiry implements OnModuleInit {
  /** Insertions since the last sweep, by account. */
  private readonly inserted = new Map<number, number>();

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: ResponseStore,
    private readonly background: BackgroundWork,
  ) {}

  onModuleInit(): void {
    this.background.repeat('response sweep', this.timings.responseSweep, () => this.sweep());
  }

  /** Counts an insertion. The first and every 20th one of an account since the last sweep check its bounds. */
  async afterInsert(userId: number): Promise<void> {
    const count = (this.inserted.get(userId) ?? 0) + 1;
    this.inserted.set(userId, count);
    if (count % CHECK_INTERVAL !== 1) return;
    try {
      await this.store.trim(userId, API_LIMITS.storedResponses, API_LIMITS.storedCharacters);
    } catch (error) {
      this.logger.warn({ err: error, userId }, 'trim of stored responses failed; retrying at the next check');
    }
  }

  private async sweep(): Promise<void> {
    this.inserted.clear();
    while ((await this.store.expire(this.timings.storedResponse / 1000, BATCH)) === BATCH);
  }
}
