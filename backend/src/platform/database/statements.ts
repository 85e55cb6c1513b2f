import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { postgresError } from './constraint-violations.js';

/** Runs one statement. Both a pool and a transaction satisfy it, so a statement can run alone or beside others. */
export type RunStatement = <Row>(statement: string, parameters: unknown[]) => Promise<Row[]>;

/** Class of the errors that the SQL function `refuse` (`functions.sql`) raises. Its reason is the message of the error. */
const REFUSED = 'TY001';

/**
 * Statements that commit by themselves, on any connection of the pool. They skip TypeORM's query runner, whose
 * bookkeeping costs the server more than a short statement. Only statements that end in `select` return the same rows
 * here and in a transaction.
 */
export class Statements {
  constructor(private readonly pool: Pool) {}

  /** A refused statement leaves its connection usable, which `pool.query` would close. */
  readonly run: RunStatement = async <Row>(statement: string, parameters: unknown[]) => {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const { rows } = await client.query(statement, parameters);
      return rows as Row[];
    } catch (error) {
      if (!isAnswer(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };

  /** The same in a transaction with settings of its own, such as `set local jit = off`. One that fails costs its connection. */
  readonly runWith = async <Row>(settings: string, statement: string, parameters: unknown[]): Promise<Row[]> => {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      // Without parameters, one message begins and sets.
      await client.query(`begin; ${settings}`);
      const { rows } = await client.query(statement, parameters);
      await client.query('commit');
      return rows as Row[];
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };
}

export const runIn =
  (manager: EntityManager): RunStatement =>
  (statement, parameters) =>
    manager.query(statement, parameters);

/** Whether Postgres answered with an error that leaves the connection open. */
export function isAnswer(error: unknown): boolean {
  const { code } = postgresError(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P|26000|0A000)/.test(code);
}

/**
 * SQL expression that ends the statement with an error, so that none of its changes is stored. The result type is
 * boolean.
 * @param reason a constant, see `refusalOf`
 */
export const refuse = (reason: string): string => `refuse('${reason}')`;

/** The reason with which a statement refused, null for any other error. */
export function refusalOf(error: unknown): string | null {
  const { code, message } = postgresError(error);
  return code === REFUSED ? (message ?? null) : null;
}
