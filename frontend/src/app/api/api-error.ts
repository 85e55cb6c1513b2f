import type { ErrorBody, ErrorCode } from '@tanya/contract';
import { sentenceOf } from '../i18n/error-sentence';
import { t } from '../i18n/translate';

/** `network`: the server could not be reached. `timeout`: no answer in time. All other codes come from the server. */
export type ApiErrorCode = ErrorCode | 'network' | 'timeout';

/** A refused or failed call over HTTP or the socket. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: ApiErrorCode,
    message: string,
    readonly body: ErrorBody | null = null,
  ) {
    super(status > 0 ? `${status}: ${message}` : message);
    this.name = 'ApiError';
  }

  static fromBody(body: ErrorBody): ApiError {
    return new ApiError(body.statusCode, body.code, body.message, body);
  }

  static network(): ApiError {
    return new ApiError(0, 'network', t('network.unreachable'));
  }

  static timeout(): ApiError {
    return new ApiError(0, 'timeout', t('network.timeout'));
  }
}

/** The sentence to show for a caught error: that of the server, unless the failure is internal. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.body && error.code !== 'internal') return sentenceOf(error.body);
  return error instanceof Error ? error.message : t('network.unknown');
}

export function hasCode(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
