import type { ErrorBody, ErrorCode } from '@tanya/contract';
import { sentenceOf } from '../i18n/error-sentence';
import { shownLanguage } from '../i18n/load-texts';
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

/** The sentence to show for a caught error. `spec` shows an internal failure, and that of a proxy, with its status. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : t('network.unknown');
  const { code, body, message } = error;
  if (shownLanguage() === 'spec') return body && code !== 'internal' ? body.message : message;
  return code === 'network' ? t('network.unreachable') : sentenceOf(body ?? error);
}

export function hasCode(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
