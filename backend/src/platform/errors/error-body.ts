import { HttpException } from '@nestjs/common';
import { ERRORS, type ErrorBody, type ErrorCode, type ErrorReason, type FieldError } from '@tanya/contract';
import { JsonTooLarge } from '../json/json-scan.js';
import { AppError } from './app-error.js';

const CODE_OF_STATUS: Record<number, ErrorCode> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'not_found',
  408: 'request_timeout',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_type',
  416: 'range_unsatisfiable',
  429: 'rate_limited',
};

/** Postgres: invalid text encoding, numbers out of range, malformed ids. */
const INVALID_SQLSTATES = new Set(['22021', '22P05', '22003', '22P02', '22007', '22008']);

/**
 * Postgres: connection lost, shutdown, too many connections, out of memory, starting, timeout, deadlock, lost prepared
 * statement, failing disk.
 */
const UNAVAILABLE_SQLSTATE = /^(08|57P0|53200|53300|55P03|57014|25006|40P01|40001|26000|0A000|58)/;

/** Postgres: a row that this one refers to was deleted meanwhile. */
const DELETED_MEANWHILE = '23503';

/** The disk of this node, or its quota; Postgres's disk. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);

const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  // The disk of this node fails or was mounted read-only, or the node has no file descriptor left.
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
]);

const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error|Stream isn't writeable|Connection is closed|max retries per request|Command timed out|DataSource is not initialized|Cannot use a pool after calling end|query runner (was )?already released/i;

/**
 * Clients of a Redis Cluster and of Sentinels, and replies of a server that starts, was demoted or lost its cluster, whose
 * memory or disk is full, or which runs a long script.
 */
const UNAVAILABLE_REDIS =
  /Cluster unavailable|Cluster isn't ready|Cluster is ended|Too many Cluster redirections|None of startup nodes|refresh slots cache|sentinels are unreachable|aborted due to connection close|^(CLUSTERDOWN|LOADING|MASTERDOWN|READONLY|TRYAGAIN|NOREPLICAS|OOM|MISCONF|BUSY) /;

interface Coded {
  code?: unknown;
  message?: unknown;
  status?: unknown;
  expose?: unknown;
  driverError?: unknown;
}

const codeOf = (status: number): ErrorCode => CODE_OF_STATUS[status] ?? (status < 500 ? 'invalid' : 'internal');

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof JsonTooLarge) return tooLarge(error.limit, error.unit);
  if (error instanceof HttpException) return new AppError(codeOf(error.getStatus()), { cause: error });
  const { code, message, status, driverError } = (error ?? {}) as Coded;
  if (driverError) return toAppError(driverError);
  const text = typeof message === 'string' ? message : '';
  if (typeof code === 'string') {
    if (INVALID_SQLSTATES.has(code)) return new AppError('invalid', { cause: error });
    if (code === DELETED_MEANWHILE) return new AppError('conflict', { cause: error });
    if (FULL.has(code)) return new AppError('storage_full', { cause: error });
    if (UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_SYSTEM.has(code))
      return new AppError('storage_unavailable', { cause: error });
    if (code === 'LIMIT_FILE_SIZE') return new AppError('too_large', { cause: error });
    if (code.startsWith('LIMIT_')) return new AppError('invalid', { cause: error });
  }
  if (UNAVAILABLE_MESSAGE.test(text) || UNAVAILABLE_REDIS.test(text))
    return new AppError('storage_unavailable', { cause: error });
  // body-parser and similar middleware throw plain errors with a status.
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new AppError(codeOf(status), { cause: error });
  return new AppError('internal', { cause: error });
}

/** The error of input beyond a bound. @param unit of the bound, in the plural */
export const tooLarge = (limit: number, unit: string): AppError =>
  new AppError('too_large', { reason: 'input', params: { limit, unit } });

/** The error of a file, or of files together, beyond a bound in bytes. Its sentence counts megabytes. */
export function filesTooLarge(reason: ErrorReason<'too_large'>, limit: number, details?: FieldError[]): AppError {
  const params = { max: Math.floor(limit / (1024 * 1024)), limit, unit: 'bytes' };
  return new AppError('too_large', { reason, params, details });
}

/** Error body of a response. It never contains a stack trace, SQL or text of an upstream. */
export function toErrorBody(error: AppError, requestId: string): ErrorBody {
  return {
    statusCode: error.status,
    code: error.code,
    message: error.message,
    retryable: ERRORS[error.code].retryable,
    requestId,
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    ...detailsOf(error),
  };
}

/**
 * Field errors stay a list, as clients of earlier versions read them; other errors have their values in `params`. A refusal
 * for size names its bound there.
 */
function detailsOf({ code, details, params }: AppError): Pick<ErrorBody, 'details'> {
  if (details !== undefined && code !== 'too_large') return { details };
  return params === undefined ? {} : { details: { params } };
}
