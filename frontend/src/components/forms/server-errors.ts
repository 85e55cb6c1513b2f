import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError, errorText, hasCode } from '../../app/api/api-error';
import { fieldSentence } from '../../app/i18n/error-sentence';

/** Shows the server's validation errors at their fields and focuses the first. */
export function showServerErrors<T extends FieldValues>(
  error: unknown,
  fields: readonly Path<T>[],
  setError: UseFormSetError<T>,
): void {
  const details = error instanceof ApiError && Array.isArray(error.body?.details) ? error.body.details : [];
  const taken = fields.find((field) => field === 'username');
  if (taken && hasCode(error, 'username_taken')) {
    setError(taken, { message: errorText(error) }, { shouldFocus: true });
  }
  let first = true;
  for (const detail of details) {
    const name = fields.find((known) => known === detail.field);
    if (!name) continue;
    setError(name, { message: fieldSentence(detail) }, { shouldFocus: first });
    first = false;
  }
}
