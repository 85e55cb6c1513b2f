import type { ErrorReason } from '@tanya/contract';
import { AppError } from '../errors/app-error.js';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

interface PostgresError {
  /** SQLSTATE, or the code of a network error. */
  code?: string;
  message?: string;
  constraint?: string;
}

/** The error of Postgres, which TypeORM wraps. */
export const postgresError = (error: unknown): PostgresError =>
  (error as { driverError?: PostgresError }).driverError ?? (error as PostgresError);

export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const { code, constraint: violated } = postgresError(error);
  return code === UNIQUE_VIOLATION && violated === constraint;
};

/** @throws AppError `conflict` with this reason, when `work` violates the constraint */
export async function orConflict<T>(
  constraint: string,
  reason: ErrorReason<'conflict'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, constraint)) throw error;
    throw new AppError('conflict', { reason, cause: error });
  }
}

/** Whether an error is the violation of a foreign key, by default of any: a row is missing, or is still referred to. */
export const isForeignKeyViolation = (error: unknown, constraint?: string): boolean => {
  const { code, constraint: violated } = postgresError(error);
  return code === FOREIGN_KEY_VIOLATION && (constraint === undefined || violated === constraint);
};

/** SQLSTATE classes: data exception, integrity constraint violation, program limit exceeded. */
const REFUSED_CLASSES = new Set(['22', '23', '54']);

/** Whether Postgres refused the values of a statement, so that a repetition with the same values fails as well. */
export const isRefusedValue = (error: unknown): boolean => {
  const { code } = postgresError(error);
  return code?.length === 5 && REFUSED_CLASSES.has(code.slice(0, 2));
};
