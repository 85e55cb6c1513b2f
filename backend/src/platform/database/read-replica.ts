import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { Logger } from '../observability/logging.js';
import { isAnswer, runIn, type RunStatement } from './statements.js';

/** Time in which the replica may catch up with the primary, ms. */
const CATCH_UP_MS = 100;
const CATCH_UP_INTERVAL_MS = 5;

/** Time without reads from a replica that failed or lagged, ms. */
const PAUSE_MS = 5_000;

/** The flushed position of the WAL on the primary, above each acknowledged commit, and the newest heartbeat. */
const committed = (newestHeartbeat: string): string =>
  `select pg_current_wal_flush_lsn()::text as position, (${newestHeartbeat})::text as heartbeat`;

/**
 * Whether the replica has applied a position ($1). The newest heartbeat ($2) shows that it follows the same primary: after a
 * failover, a standby of the previous primary may be at any position.
 */
const hasAppliedSql = (newestHeartbeat: string): string => `select
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end >= $1::pg_lsn
  and coalesce((${newestHeartbeat}) >= $2::timestamptz, $2::timestamptz is null) as applied`;

interface Committed {
  position: string;
  heartbeat: string | null;
}

/**
 * Reads on a replica of Postgres, for what takes long. A read sees all that was committed before it began, also by other
 * nodes: it waits until the replica has applied that. A replica that lags by more than CATCH_UP_MS or fails is left out
 * for PAUSE_MS, and the primary serves its reads.
 */
export class ReadReplica {
  private pausedUntil = 0;
  private isPaused = false;

  /**
   * @param pool connections to the replica; null without one
   * @param newestHeartbeat SQL of the time of the newest heartbeat of the nodes
   */
  constructor(
    private readonly primary: DataSource,
    private readonly pool: Pool | null,
    private readonly logger: Logger,
    private readonly newestHeartbeat: string,
  ) {}

  /**
   * Runs reads in one snapshot. A read that fails on the replica is repeated on the primary.
   * @throws the error of the primary
   */
  async snapshot<T>(read: (run: RunStatement) => Promise<T>): Promise<T> {
    const client = await this.caughtUp();
    if (client !== null) {
      try {
        return await readOn(client, read);
      } catch (error) {
        // Postgres itself ends a read that hinders the replication.
        if (!isAnswer(error)) this.pause({ err: error }, 'postgres replica failed; the primary serves its reads');
      }
    }
    return this.primary.transaction('REPEATABLE READ', (manager) => read(runIn(manager)));
  }

  /** A connection to the replica with all that is committed; null when the primary has to serve. */
  private async caughtUp(): Promise<PoolClient | null> {
    if (this.pool === null || performance.now() < this.pausedUntil) return null;
    let client: PoolClient | null = null;
    try {
      const [position] = await this.primary.query<Committed[]>(committed(this.newestHeartbeat));
      client = await this.pool.connect();
      if (await hasApplied(client, hasAppliedSql(this.newestHeartbeat), position!)) {
        this.resume();
        return client;
      }
      client.release();
      this.pause({}, 'postgres replica lags; the primary serves its reads');
    } catch (error) {
      client?.release(error as Error);
      this.pause({ err: error }, 'postgres replica failed; the primary serves its reads');
    }
    return null;
  }

  private pause(fields: object, line: string): void {
    this.pausedUntil = performance.now() + PAUSE_MS;
    if (!this.isPaused) this.logger.warn(fields, line);
    this.isPaused = true;
  }

  private resume(): void {
    if (this.isPaused) this.logger.info('postgres replica serves reads again');
    this.isPaused = false;
  }
}

async function hasApplied(client: PoolClient, sql: string, { position, heartbeat }: Committed): Promise<boolean> {
  for (const deadline = performance.now() + CATCH_UP_MS; ; await sleep(CATCH_UP_INTERVAL_MS)) {
    const { rows } = await client.query<{ applied: boolean }>(sql, [position, heartbeat]);
    if (rows[0]?.applied) return true;
    if (performance.now() > deadline) return false;
  }
}

/** A read that fails closes the connection, which may be in the middle of a transaction. */
async function readOn<T>(client: PoolClient, read: (run: RunStatement) => Promise<T>): Promise<T> {
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    const result = await read(async <Row>(statement: string, parameters: unknown[]) => {
      const { rows } = await client.query(statement, parameters);
      return rows as Row[];
    });
    await client.query('commit');
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
