const UNIQUE_VIOLATION = '23505';

/** Whether an error is the violation of this unique constraint or index. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const { driverError } = error as { driverError?: { code?: string; constraint?: string } };
  return driverError?.code === UNIQUE_VIOLATION && driverError.constraint === constraint;
};
