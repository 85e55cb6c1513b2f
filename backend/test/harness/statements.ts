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
  dataSource.logger = recorder;
  try {
    await work();
  } finally {
    dataSource.logger = before;
  }
  return statements;
}
