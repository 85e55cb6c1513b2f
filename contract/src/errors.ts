/** Error codes for programs. Screens switch on the code, never on the text. */
export const ERROR_CODES = [
  'invalid',
  'unauthenticated',
  'invalid_credentials',
  'totp_required',
  'totp_invalid',
  'totp_enrollment_required',
  'reset_invalid',
  'forbidden',
  'account_pending',
  'account_suspended',
  'registration_closed',
  'foreign_origin',
  'not_found',
  'conflict',
  'username_taken',
  'last_admin',
  'connection_in_use',
  'idempotency_mismatch',
  'thread_busy',
  'model_unavailable',
  'model_premium',
  'tool_not_found',
  'quota_exceeded',
  'budget_exceeded',
  'price_unknown',
  'rate_limited',
  'too_large',
  'request_timeout',
  'server_busy',
  'unsupported_type',
  'unreadable_file',
  'range_unsatisfiable',
  'stream_expired',
  'provider_auth',
  'provider_credit',
  'provider_busy',
  'provider_error',
  'provider_unreachable',
  'provider_context',
  'provider_refused',
  'timeout_first_token',
  'timeout_idle',
  'interrupted',
  'shutting_down',
  'storage_unavailable',
  'storage_full',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The values of an error's sentence in a page's own language. `reason` distinguishes errors of one code. */
export type ErrorParams = Record<string, string | number>;

/** A validation error of one input field. */
export interface FieldError {
  field: string;
  message: string;
  /** The violated rule, as in `minLength`, if known. */
  code?: string;
  params?: ErrorParams;
}

/** The body of every error, in REST answers and in socket acks. */
export interface ErrorBody {
  statusCode: number;
  code: ErrorCode;
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  requestId: string;
  /** Seconds to wait before a retry, if known. */
  retryAfter?: number;
  /** The refused fields of `invalid`, or the values of the sentence. */
  details?: FieldError[] | { params: ErrorParams };
}

/** The part of an error that is stored with a message and shown beneath it. */
export interface GenerationError {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  retryAfter?: number;
  /** The technical cause with the connection's name. Only in answers to admins; holds no key. */
  cause?: string;
  params?: ErrorParams;
}
