import type { Pool } from 'pg';
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
  // Statements that commit by themselves go to the pool; TypeORM takes connections from it and reports to its logger.
  const { master: pool } = dataSource.driver as unknown as { master: Pool };
  const query = pool.query.bind(pool) as (sql: string, parameters: unknown[]) => Promise<unknown>;
  Object.assign(pool, {
    query(sql: string, parameters: unknown[] = []) {
      statements.push({ sql, parameters });
      return query(sql, parameters);
    },
  });
  dataSource.logger = recorder;
  try {
    await work();
  } finally {
    dataSource.logger = before;
    Reflect.deleteProperty(pool, 'query');
  }
  return statements;
}
