import { FAILURE_DAYS } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Identity } from '../identity/identity.js';
import type { AppError } from '../platform/errors/app-error.js';
import { toStorableText } from '../platform/json/storable-json.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import { retryWhileStorageIsAway } from '../platform/resilience/storage-retries.js';
import { withTimeout } from '../platform/resilience/with-timeout.js';
import { FailureEntity } from './failure.entity.js';

/** Rows of one statement. */
const BATCH = 200;

/** Failures that wait for Postgres. A row has at most 8,000 characters of the provider's words. */
const MAX_WAITING = 1_000;

const SWEEP_MS = 60 * 60 * 1000;

const SWEPT_ROWS = 10_000;

const SHUTDOWN_MS = 2_000;

/** $1 days, $2 rows. */
const DELETE_OLD = `with old as (
    delete from failure where id in (
      select id from failure where created_at < now() - $1::int * interval '1 day' order by created_at limit $2::int
    ) returning 1
  ) select count(*)::int as deleted from old`;

export type NewFailure = Pick<FailureEntity, 'code' | 'status'> &
  Partial<Omit<FailureEntity, 'id' | 'createdAt' | 'code' | 'status' | 'user' | 'apiKey'>>;

/**
 * Writes failures behind the work that failed, which does not wait. While Postgres is away they wait, up to a bound;
 * further ones are counted in the log.
 */
@Injectable()
export class FailureLog implements OnApplicationShutdown {
  private waiting: Omit<FailureEntity, 'id'>[] = [];
  private writing: Promise<void> | null = null;
  private lost = 0;
  private readonly shutdown = new AbortController();

  constructor(
    @InjectRepository(FailureEntity) private readonly failures: Repository<FailureEntity>,
    @Inject(LOGGER) private readonly logger: Logger,
    background: BackgroundWork,
  ) {
    background.repeat('sweep of failures', SWEEP_MS, () => this.deleteOld());
  }

  /** Adds a failure of this moment. Never throws. */
  record(failure: NewFailure): void {
    if (this.waiting.length === MAX_WAITING) this.lost += 1;
    else this.waiting.push(rowOf(failure));
    this.writing ??= this.write();
  }

  /** Adds a request that failed, unless an answer did, which is recorded at its end. */
  recordRequest({ code, status, generationId }: AppError, requestId: string, identity: Identity | undefined): void {
    if (generationId !== undefined) return;
    const { userId, apiKey } = identity ?? { userId: null };
    this.record({ code, status, requestId, userId, apiKeyId: apiKey?.id });
  }

  /** Deletes failures that are older than 30 days. */
  async deleteOld(): Promise<void> {
    for (let deleted = SWEPT_ROWS; deleted === SWEPT_ROWS;) {
      const [row] = await this.failures.query<{ deleted: number }[]>(DELETE_OLD, [FAILURE_DAYS, SWEPT_ROWS]);
      deleted = row!.deleted;
    }
  }

  /** After the last answers have ended. */
  async onApplicationShutdown(): Promise<void> {
    if (this.writing !== null) await withTimeout(SHUTDOWN_MS, this.writing);
    this.shutdown.abort();
  }

  private async write(): Promise<void> {
    // In a later turn, so that the failures of one turn share a statement.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, BATCH);
      await this.insert(batch);
      this.waiting.splice(0, batch.length);
    }
    this.writing = null;
    if (this.lost > 0) this.logger.warn({ failures: this.lost }, 'too many failures at once; these are not listed');
    this.lost = 0;
  }

  /** A row that Postgres refuses, such as that of an account deleted meanwhile, does not take the others along. */
  private async insert(batch: Omit<FailureEntity, 'id'>[]): Promise<void> {
    try {
      const { signal } = this.shutdown;
      await retryWhileStorageIsAway(() => this.failures.insert(batch), { timeoutMs: Infinity, signal });
    } catch (error) {
      if (this.shutdown.signal.aborted) return;
      if (batch.length > 1) for (const row of batch) await this.insert([row]);
      else this.logger.warn({ err: error, ...idsOf(batch[0]!) }, 'failure not stored; it is in the log alone');
    }
  }
}

const idsOf = ({ generationId, requestId }: NewFailure): object => ({ generationId, requestId });

function rowOf({ code, status, provider, connectionName, ...ids }: NewFailure): Omit<FailureEntity, 'id'> {
  const words = Object.entries(provider ?? {}).flatMap(([name, text]) => (text ? [[name, toStorableText(text)]] : []));
  return {
    createdAt: new Date(),
    code,
    status,
    provider: words.length === 0 ? null : (Object.fromEntries(words) as FailureEntity['provider']),
    modelId: ids.modelId ?? null,
    connectionId: ids.connectionId ?? null,
    connectionName: connectionName ?? null,
    userId: ids.userId ?? null,
    apiKeyId: ids.apiKeyId ?? null,
    generationId: ids.generationId ?? null,
    requestId: ids.requestId ?? null,
  };
}
