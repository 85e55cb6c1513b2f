import type { DataSource, Logger } from 'typeorm';

export interface Statement {
  sql: string;
  parameters: unknown[];
}

/** Everything that one piece of work asks of Postgres, transactions' own words included. */
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
