import type { AppError } from '../../platform/errors/app-error.js';

/** Anthropic's types of errors, by their status. */
const TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
};

const typeOf = (status: number): string => TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

/** Error body as Anthropic's clients expect it. @param status of the answer */
export const toMessageError = (error: AppError, status: number, requestId: string): object => ({
  type: 'error',
  error: { type: typeOf(status), message: withField(error) },
  request_id: requestId,
});

/** The sentence with the refused field, which has no place of its own. */
function withField({ message, details }: AppError): string {
  const field = details?.[0]?.field;
  return field === undefined || message.includes(field) ? message : `${field}: ${message}`;
}
