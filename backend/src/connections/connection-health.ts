import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { causeOf, faultOf } from '../providers/provider-cause.js';
import type { ProviderError } from '../providers/provider-error.js';
import { ProviderRegistry } from '../providers/registry.js';
import { ProviderConnectionEntity, type StoredFailure } from './provider-connection.entity.js';

/** A node writes the same outcome of a connection at most this often. */
const SUCCESS_INTERVAL_MS = 60_000;
const FAILURE_INTERVAL_MS = 10_000;

/** `updated_at` stays: an outcome is not a change by an admin. */
const RECORD_SUCCESS = 'update provider_connection set last_success_at = now(), failing_since = null where id = $1';
const RECORD_FAILURE = `update provider_connection set last_error = $2::jsonb, last_error_at = now(),
  failing_since = coalesce(failing_since, now()) where id = $1`;

/**
 * Records the last success and the last failure of each connection in its row, so that all nodes show them. A change of
 * the outcome is written at once, a repeated one at intervals; answers never wait for the write.
 */
@Injectable()
export class ConnectionHealth {
  /** The last written outcome by connection: null for a success, else the fault. */
  private readonly written = new Map<number, { fault: string | null; at: number }>();

  constructor(
    @InjectRepository(ProviderConnectionEntity) private readonly connections: Repository<ProviderConnectionEntity>,
    @Inject(LOGGER) private readonly logger: Logger,
    registry: ProviderRegistry,
  ) {
    registry.observe((connectionId, failure) => void this.record(connectionId, failure));
  }

  /** Never throws: without Postgres the outcome is lost. */
  async record(connectionId: number, failure: ProviderError | null): Promise<void> {
    const fault = failure === null ? null : faultOf(failure);
    if (!this.isDue(connectionId, fault)) return;
    try {
      await this.write(
        connectionId,
        fault,
        failure === null ? null : { code: failure.code, message: causeOf(failure) },
      );
    } catch (error) {
      this.written.delete(connectionId);
      this.logger.warn({ err: error, connectionId }, 'connection outcome not recorded; showing the previous one');
    }
  }

  /** Records an outcome at once, for a test by an admin. */
  async write(connectionId: number, fault: string | null, failure: StoredFailure | null): Promise<void> {
    this.written.set(connectionId, { fault, at: performance.now() });
    if (failure === null) await this.connections.query(RECORD_SUCCESS, [connectionId]);
    else await this.connections.query(RECORD_FAILURE, [connectionId, JSON.stringify(failure)]);
  }

  private isDue(connectionId: number, fault: string | null): boolean {
    const last = this.written.get(connectionId);
    if (last === undefined || last.fault !== fault) return true;
    return performance.now() - last.at >= (fault === null ? SUCCESS_INTERVAL_MS : FAILURE_INTERVAL_MS);
  }
}
