import type { SearchService } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import type { SearchFailure } from './search-failure.js';
import { SearchHealthEntity } from './search-health.entity.js';

/** A node writes the same outcome of a service at most this often. */
const INTERVAL_MS = 60_000;

const RECORD_SUCCESS = `insert into search_health (service, last_success_at) values ($1, now())
  on conflict (service) do update set last_success_at = excluded.last_success_at`;
const RECORD_FAILURE = `insert into search_health (service, last_error, last_error_at) values ($1, $2::jsonb, now())
  on conflict (service) do update set last_error = excluded.last_error, last_error_at = excluded.last_error_at`;

/** Stores the last success and the last failure of each search service, so that all nodes show them. */
@Injectable()
export class SearchHealth {
  /** The last written outcome by service: null for a success, else the fault. */
  private readonly written = new Map<SearchService, { fault: string | null; at: number }>();

  constructor(
    @InjectRepository(SearchHealthEntity) private readonly rows: Repository<SearchHealthEntity>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  find(service: SearchService): Promise<SearchHealthEntity | null> {
    return this.rows.findOneBy({ service });
  }

  /** Never throws: without Postgres the outcome is lost. */
  async record(service: SearchService, failure: SearchFailure | null): Promise<void> {
    const fault = failure?.fault ?? null;
    const last = this.written.get(service);
    if (last?.fault === fault && performance.now() - last.at < INTERVAL_MS) return;
    this.written.set(service, { fault, at: performance.now() });
    try {
      if (failure === null) await this.rows.query(RECORD_SUCCESS, [service]);
      else {
        const { message } = failure;
        await this.rows.query(RECORD_FAILURE, [service, JSON.stringify({ fault: failure.fault, message })]);
      }
    } catch (error) {
      this.written.delete(service);
      this.logger.warn({ err: error, service }, 'search outcome not recorded; showing the previous one');
    }
  }
}
