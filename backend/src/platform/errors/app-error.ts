import type { ErrorCode, ErrorParams, FieldError, GenerationError } from '@tanya/contract';

interface ErrorKind {
  status: number;
  retryable: boolean;
  message: string;
}

const kind = (status: number, retryable: boolean, message: string): ErrorKind => ({ status, retryable, message });

/** Status, retryability and default message of each error code, for REST and sockets. */
export const ERROR_KINDS: Record<ErrorCode, ErrorKind> = {
  invalid: kind(400, false, 'The request is not valid. Please check its fields.'),
  unauthenticated: kind(401, false, 'You are not signed in. Please sign in first.'),
  invalid_credentials: kind(401, false, 'The username or password is wrong. Please try again.'),
  totp_required: kind(401, false, 'Please enter the code of your authenticator app.'),
  totp_invalid: kind(401, false, 'This code is wrong or was used before. Please enter a new one.'),
  totp_enrollment_required: kind(403, false, 'Your account needs two-factor login. Please set it up first.'),
  reset_invalid: kind(400, false, 'This link is no longer valid. Please request a new one.'),
  forbidden: kind(403, false, 'You do not have permission for this. Please ask an administrator.'),
  account_pending: kind(403, false, 'Your account waits for approval by an admin. Please log in once it is approved.'),
  account_suspended: kind(403, false, 'Your account is suspended. Please contact the administrator.'),
  registration_closed: kind(403, false, 'Registration is closed. Please ask an administrator for an account.'),
  foreign_origin: kind(403, false, 'This request came from another site. Please open this site and try again.'),
  not_found: kind(404, false, 'This was not found. It may have been deleted.'),
  conflict: kind(409, false, 'This conflicts with another change. Please reload and try again.'),
  username_taken: kind(409, false, 'This username is already taken. Please choose another one.'),
  last_admin: kind(409, false, 'This is the last administrator. Please make another user an administrator first.'),
  connection_in_use: kind(409, false, 'Models use this connection. Please choose another connection for them first.'),
  idempotency_mismatch: kind(409, false, 'This id was already used for another message. Please send it with a new id.'),
  thread_busy: kind(409, true, 'An answer is still being written in this thread. Please wait for it or stop it.'),
  model_unavailable: kind(400, false, 'This model is not available. Please choose another one.'),
  model_premium: kind(403, false, 'This model is for premium members. Please upgrade or choose another one.'),
  tool_not_found: kind(404, false, 'This tool is not available to you. Please switch it off and send again.'),
  quota_exceeded: kind(403, false, 'Message quota exceeded'),
  budget_exceeded: kind(403, false, 'The budget is spent. Please contact the administrator.'),
  price_unknown: kind(
    403,
    false,
    'The price of this model is unknown, so a budget does not allow it. Please choose another model.',
  ),
  rate_limited: kind(429, true, 'Too many requests. Please wait a moment and try again.'),
  too_large: kind(413, false, 'The request is too large. Please send less at once.'),
  request_timeout: kind(408, true, 'The request arrived too slowly. Please send it again.'),
  server_busy: kind(503, true, 'The server is busy. Please try again in a moment.'),
  unsupported_type: kind(415, false, 'This type of content is not supported. Please use another one.'),
  unreadable_file: kind(400, false, 'The file could not be read. Please check it or choose another one.'),
  range_unsatisfiable: kind(
    416,
    false,
    'The requested range is not satisfiable. Please request a range within the file.',
  ),
  stream_expired: kind(400, false, 'The events of this response are no longer kept. Please read the response.'),
  provider_auth: kind(500, false, 'The model is not available right now. Please contact the administrator.'),
  provider_credit: kind(500, false, 'The model is not available right now. Please contact the administrator.'),
  provider_busy: kind(500, true, 'The model is busy. Please try again in a moment.'),
  provider_error: kind(500, true, 'The model could not answer. Please try again.'),
  provider_unreachable: kind(500, true, 'The model could not be reached. Please try again.'),
  provider_context: kind(500, false, 'The conversation is too long for this model. Please start a new chat.'),
  provider_refused: kind(500, false, 'The model refused this request. Please change it and try again.'),
  timeout_first_token: kind(500, true, 'The model did not answer in time. Please try again.'),
  timeout_idle: kind(500, true, 'The model stopped in the middle of its answer. Please try again.'),
  interrupted: kind(503, true, 'The answer was interrupted. Please try again.'),
  shutting_down: kind(503, true, 'The server is restarting. Please try again in a moment.'),
  storage_unavailable: kind(503, true, 'The storage is not available right now. Please try again in a moment.'),
  storage_full: kind(507, true, 'The storage is full. Please contact the administrator.'),
  internal: kind(500, true, 'The server failed to handle this request. Please try again.'),
};

/** Default Retry-After of 503 answers, in seconds. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = { storage_unavailable: 2, shutting_down: 5, server_busy: 1 };

interface AppErrorOptions {
  /** Replaces the default message; shown to users. */
  message?: string;
  details?: FieldError[];
  /** Values of the sentence, for pages in other languages. */
  params?: ErrorParams;
  /** Seconds. */
  retryAfter?: number;
  cause?: unknown;
}

/** Error with a code of the contract. Any other thrown value becomes `internal`. */
export class AppError extends Error {
  readonly details: FieldError[] | undefined;
  readonly params: ErrorParams | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(options.message ?? ERROR_KINDS[code].message, { cause: options.cause });
    this.details = options.details;
    this.params = options.params;
    this.retryAfter = options.retryAfter ?? RETRY_AFTER[code];
  }

  get status(): number {
    return ERROR_KINDS[this.code].status;
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return ERROR_KINDS[this.code].retryable;
  }

  /** Form that is stored with a message. */
  toGenerationError(): GenerationError {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      ...(this.retryAfter === undefined ? {} : { retryAfter: this.retryAfter }),
      ...(this.params === undefined ? {} : { params: this.params }),
    };
  }
}

/** Refuses one field of the input. `code` names the reason for pages in other languages. */
export const invalidField = (field: string, message: string, code?: string): AppError =>
  new AppError('invalid', { message, details: [{ field, message, ...(code === undefined ? {} : { code }) }] });
