import type { Pool } from 'pg';

/** Runs one statement. Both a pool and a transaction satisfy it, so a statement can run alone or beside others. */
export type RunStatement = <Row>(statement: string, parameters: unknown[]) => Promise<Row[]>;

/** Class of the errors that the SQL function `refuse` raises. Its reason is the message of the error. */
const REFUSED = 'TY001';

/**
 * Statements that commit by themselves, on any connection of the pool. They skip TypeORM's query runner, whose
 * bookkeeping costs the server more than a short statement. Only statements that end in `select` return the same rows
 * here and in a transaction.
 */
export class Statements {
  constructor(private readonly pool: Pool) {}

  readonly run: RunStatement = async <Row>(statement: string, parameters: unknown[]) => {
    const { rows } = await this.pool.query(statement, parameters);
    return rows as Row[];
  };
}

/**
 * SQL expression that ends the statement with an error, so that none of its changes is stored. The result type is
 * boolean.
 * @param reason a constant, see `refusalOf`
 */
export const refuse = (reason: string): string => `refuse('${reason}')`;

/** The reason with which a statement refused, null for any other error. */
export function refusalOf(error: unknown): string | null {
  const { driverError } = error as { driverError?: unknown };
  const { code, message } = (driverError ?? error) as { code?: unknown; message?: unknown };
  return code === REFUSED && typeof message === 'string' ? message : null;
}
