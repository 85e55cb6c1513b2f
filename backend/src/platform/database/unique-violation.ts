const UNIQUE_VIOLATION = '23505';

interface PostgresError {
  code?: string;
  constraint?: string;
}

/** Whether an error of Postgres, or the one TypeORM wraps it in, is the violation of this constraint or index. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const { driverError } = error as { driverError?: PostgresError };
  const { code, constraint: violated } = driverError ?? (error as PostgresError);
  return code === UNIQUE_VIOLATION && violated === constraint;
};
