import pg from 'pg';
import { DefaultNamingStrategy, type DataSourceOptions, type NamingStrategyInterface } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils.js';
import type { Tracing } from '../observability/tracing.js';
import { Connection } from './prepared-connection.js';
import { migrations } from './migrations/index.js';
import type { PrimaryWatch } from './primary-watch.js';

/** Naming strategy with snake_case columns, so that hand-written SQL needs no quotes. */
class SnakeCaseNames extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string, prefixes: string[]): string {
    return customName || snakeCase([...prefixes, propertyName].join('_'));
  }
}

const STATEMENT_TIMEOUT_MS = 15_000;

/** Timeout of a connection from the pool or to Postgres; a request then gets 503 `storage_unavailable`. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Timeout of the first connection at the start. Longer: a suspended database needs time to resume. */
const FIRST_CONNECT_TIMEOUT_MS = 10_000;

interface ConnectionOptions {
  /** Maximum number of connections. */
  pool?: number;
  /** Timeout of each statement; 0 sets none. */
  statementTimeoutMs?: number;
  /** Directs the connections to the primary of several servers, whose URLs differ in the host alone. */
  primary?: PrimaryWatch | null;
  /** Covers the statements of traced operations with spans. */
  tracing?: Tracing;
}

/**
 * Options of the connections to a replica.
 * @param url `postgres://…` of one server
 */
export const replicaOptions = (url: string, max: number): pg.PoolConfig & { Client: typeof Connection } => ({
  connectionString: url,
  application_name: 'tanya replica',
  max,
  Client: Connection,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: STATEMENT_TIMEOUT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  keepAlive: true,
});

/** Opens and closes one connection. @throws the error of Postgres or of the network */
export async function tryPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: FIRST_CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * TypeORM options of one database.
 * @param url `postgres://…` of one server
 */
export function dataSourceOptions(
  url: string,
  entities: NonNullable<DataSourceOptions['entities']>,
  { pool = 10, statementTimeoutMs = STATEMENT_TIMEOUT_MS, primary = null, tracing }: ConnectionOptions = {},
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities,
    migrations,
    migrationsRun: false,
    synchronize: false,
    parseInt8: true,
    namingStrategy: new SnakeCaseNames(),
    logging: false,
    poolSize: pool,
    applicationName: 'tanya',
    extra: {
      Client: Connection,
      primary,
      ...(tracing?.isOn ? { tracing } : {}),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: statementTimeoutMs,
      keepAlive: true,
    },
  };
}
