import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError, hasCode } from '../../app/api/api-error';

/** Shows the server's validation errors at their fields and focuses the first. */
export function showServerErrors<T extends FieldValues>(
  error: unknown,
  fields: readonly Path<T>[],
  setError: UseFormSetError<T>,
): void {
  const details = error instanceof ApiError ? (error.body?.details ?? []) : [];
  const taken = fields.find((field) => field === 'username');
  if (taken && hasCode(error, 'username_taken')) {
    setError(taken, { message: error.body?.message }, { shouldFocus: true });
  }
  let first = true;
  for (const { field, message } of details) {
    const name = fields.find((known) => known === field);
    if (!name) continue;
    setError(name, { message }, { shouldFocus: first });
    first = false;
  }
}
