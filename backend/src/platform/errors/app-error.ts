import type { ErrorCode, FieldError, GenerationError } from '@tanya/contract';

interface ErrorKind {
  status: number;
  retryable: boolean;
  message: string;
}

const kind = (status: number, retryable: boolean, message: string): ErrorKind => ({ status, retryable, message });

/** The one table of what each code means on REST and on sockets. */
export const ERROR_KINDS: Record<ErrorCode, ErrorKind> = {
  invalid: kind(400, false, 'The request is not valid.'),
  unauthenticated: kind(401, false, 'Please sign in first.'),
  invalid_credentials: kind(401, false, 'The username or password is not right.'),
  forbidden: kind(403, false, 'You are not allowed to do this.'),
  foreign_origin: kind(403, false, 'This request comes from another site.'),
  not_found: kind(404, false, 'This does not exist.'),
  conflict: kind(409, false, 'This conflicts with what is stored.'),
  username_taken: kind(409, false, 'This username is already taken.'),
  last_admin: kind(409, false, 'The last administrator must stay one.'),
  idempotency_mismatch: kind(409, false, 'This id was already used for another message.'),
  thread_busy: kind(409, true, 'An answer is still being written in this thread.'),
  model_unavailable: kind(400, false, 'This model is not available. Please choose another one.'),
  model_premium: kind(403, false, 'This model is for premium members.'),
  quota_exceeded: kind(403, false, 'Message quota exceeded'),
  rate_limited: kind(429, true, 'Too many requests. Please wait a moment.'),
  too_large: kind(413, false, 'This is too large.'),
  unsupported_type: kind(415, false, 'This type of content is not supported.'),
  unreadable_file: kind(400, false, 'This file could not be read.'),
  range_unsatisfiable: kind(416, false, 'This file does not have these bytes.'),
  provider_auth: kind(500, false, 'The model is not available right now (configuration).'),
  provider_credit: kind(500, false, 'The model is not available right now (configuration).'),
  provider_busy: kind(500, true, 'The model is busy. Please try again in a moment.'),
  provider_error: kind(500, true, 'The model could not answer. Please try again.'),
  provider_unreachable: kind(500, true, 'The model could not be reached. Please try again.'),
  provider_context: kind(500, false, 'The conversation is too long for this model.'),
  provider_refused: kind(500, false, 'The model refused this request.'),
  timeout_first_token: kind(500, true, 'The model did not begin to answer in time.'),
  timeout_idle: kind(500, true, 'The model stopped in the middle of its answer.'),
  interrupted: kind(503, true, 'The answer was interrupted.'),
  shutting_down: kind(503, true, 'The server is restarting. Please try again in a moment.'),
  storage_unavailable: kind(503, true, 'The storage is not available right now. Please try again in a moment.'),
  storage_full: kind(507, true, 'The storage is full.'),
  internal: kind(500, true, 'Something went wrong on our side.'),
};

/** Waits that are told with a 503, in seconds. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = { storage_unavailable: 2, shutting_down: 5 };

interface AppErrorOptions {
  /** In place of the table's sentence; safe to show. */
  message?: string;
  details?: FieldError[];
  /** Seconds. */
  retryAfter?: number;
  cause?: unknown;
}

/** A failure that has a name; whatever is thrown and is none of these becomes `internal`. */
export class AppError extends Error {
  readonly details: FieldError[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(options.message ?? ERROR_KINDS[code].message, { cause: options.cause });
    this.details = options.details;
    this.retryAfter = options.retryAfter ?? RETRY_AFTER[code];
  }

  get status(): number {
    return ERROR_KINDS[this.code].status;
  }

  /** What is kept with a message. */
  toGenerationError(): GenerationError {
    return {
      code: this.code,
      message: this.message,
      retryable: ERROR_KINDS[this.code].retryable,
      ...(this.retryAfter === undefined ? {} : { retryAfter: this.retryAfter }),
    };
  }
}

/** A refusal of one field. */
export const invalidField = (field: string, message: string): AppError =>
  new AppError('invalid', { message, details: [{ field, message }] });
