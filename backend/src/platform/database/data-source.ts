import pg from 'pg';
import { DefaultNamingStrategy, type DataSourceOptions, type NamingStrategyInterface } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils.js';
import { Connection } from './prepared-connection.js';
import { migrations } from './migrations/index.js';

/** snake_case columns, so that hand-written SQL needs no quotes. */
class SnakeCaseNames extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string, prefixes: string[]): string {
    return customName || snakeCase([...prefixes, propertyName].join('_'));
  }
}

/** How long one statement may take, in ms: longer than any of ours, shorter than a person's patience. */
const STATEMENT_TIMEOUT = 15_000;

/** Waiting for a connection of the pool or for Postgres itself, in ms; then 503 `storage_unavailable`. */
const CONNECT_TIMEOUT = 3_000;

/** At the start nobody is kept waiting, and a database that was put to sleep takes its time to wake up, in ms. */
const FIRST_CONNECT_TIMEOUT = 10_000;

/** Whether Postgres lets us in. @throws whatever is in the way */
export async function tryPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: FIRST_CONNECT_TIMEOUT });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * TypeORM's options for one database.
 * @param url `postgres://…`
 * @param pool connections at most
 */
export function dataSourceOptions(
  url: string,
  entities: NonNullable<DataSourceOptions['entities']>,
  pool = 10,
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
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: STATEMENT_TIMEOUT,
      keepAlive: true,
    },
  };
}
