import type { ErrorCode, PublicApiError } from '@tanya/contract';
import type { AppError } from '../platform/errors/app-error.js';
import type { ErrorFormat } from '../platform/http/http-error.filter.js';
import { toMessageError } from './messages/message-error.js';
import { isMessagesPath, isMisplaced, isPublicApi, withBaseUrl } from './api-addresses.js';

const TYPES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'authentication_error',
  quota_exceeded: 'insufficient_quota',
  budget_exceeded: 'insufficient_quota',
  rate_limited: 'rate_limit_error',
};

const CODES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
  model_unavailable: 'model_not_found',
  provider_context: 'context_length_exceeded',
};

/** Statuses that differ here. A prompt that is too long stays too long: clients retry every 5xx. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  model_unavailable: 404,
  provider_context: 400,
};

export const publicStatusOf = (error: AppError): number => STATUSES[error.code] ?? error.status;

function typeOf(error: AppError): string {
  const known = TYPES[error.code];
  if (known !== undefined) return known;
  if (/^(provider|timeout)_/.test(error.code)) return 'provider_error';
  return error.status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** Error body as OpenAI's clients expect it. */
export function toPublicApiError(error: AppError): PublicApiError {
  return {
    error: {
      message: error.message,
      type: typeOf(error),
      code: CODES[error.code] ?? error.code,
      param: error.details?.[0]?.field ?? null,
    },
  };
}

/** Error shape of `/api/v1`, and of its calls below a wrong base URL. */
export const publicApiErrors = (publicUrl: URL | null): ErrorFormat => ({
  appliesTo: (request) => isPublicApi(request.path) || isMisplaced(request),
  status: publicStatusOf,
  // OpenAI's clients call three times on a 409 or a 5xx without this header.
  headers: ({ retryable }): Record<string, string> => (retryable ? {} : { 'x-should-retry': 'false' }),
  body: (thrown, request) => {
    const error = withBaseUrl(thrown, request, publicUrl);
    const isMessage = isMessagesPath(request.path);
    return isMessage ? toMessageError(error, publicStatusOf(error), request.id) : toPublicApiError(error);
  },
});
