const UNIQUE_VIOLATION = '23505';

/** Whether Postgres refused a row because of this constraint or unique index, and not because of another one. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const { driverError } = error as { driverError?: { code?: string; constraint?: string } };
  return driverError?.code === UNIQUE_VIOLATION && driverError.constraint === constraint;
};
