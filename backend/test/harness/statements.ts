import type { Pool, PoolClient } from 'pg';
import type { DataSource, Logger } from 'typeorm';

export interface Statement {
  sql: string;
  parameters: unknown[];
}

/** Records the SQL statements that `work` sends to Postgres, `BEGIN` and `COMMIT` included. */
export async function statementsOf(dataSource: DataSource, work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const before = dataSource.logger;
  const quiet = () => undefined;
  const recorder: Logger = {
    logQuery: (sql, parameters = []) => void statements.push({ sql, parameters: parameters as unknown[] }),
    logQueryError: quiet,
    logQuerySlow: quiet,
    logSchemaBuild: quiet,
    logMigration: quiet,
    log: quiet,
  };
  // Statements that commit by themselves take their connection with a promise; TypeORM takes one with a callback and
  // reports to its logger.
  const { master: pool } = dataSource.driver as unknown as { master: Pool };
  const connect = pool.connect.bind(pool) as (...callback: unknown[]) => Promise<PoolClient>;
  Object.assign(pool, {
    connect: (...callback: unknown[]) =>
      callback.length > 0 ? connect(...callback) : connect().then((client) => recorded(client, statements)),
  });
  dataSource.logger = recorder;
  try {
    await work();
  } finally {
    dataSource.logger = before;
    Reflect.deleteProperty(pool, 'connect');
  }
  return statements;
}

/** A connection that records its statements until it is released. */
function recorded(client: PoolClient, statements: Statement[]): PoolClient {
  return new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target) as unknown;
      return (sql: string, parameters: unknown[] = []) => {
        statements.push({ sql, parameters });
        return target.query(sql, parameters);
      };
    },
  });
}
