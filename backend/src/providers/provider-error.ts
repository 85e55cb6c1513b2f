import type { ConnectionFault, ErrorCode } from '@tanya/contract';

export type ProviderErrorCode = Extract<
  ErrorCode,
  | 'provider_auth'
  | 'provider_credit'
  | 'provider_busy'
  | 'provider_error'
  | 'provider_unreachable'
  | 'provider_context'
  | 'provider_refused'
  | 'timeout_first_token'
  | 'timeout_idle'
>;

const TEXTS: Record<ProviderErrorCode, string> = {
  provider_auth: 'The model is not available right now (configuration).',
  provider_credit: 'The model is not available right now (configuration).',
  provider_busy: 'The model is busy. Please try again in a moment.',
  provider_error: 'The model provider had a problem. Please try again.',
  provider_unreachable: 'The model provider cannot be reached. Please try again.',
  provider_context: 'The conversation is too long for this model.',
  provider_refused: 'The model provider refused this request.',
  timeout_first_token: 'The model did not answer in time. Please try again.',
  timeout_idle: 'The answer stopped arriving. Please try again.',
};

export const PROVIDER_ERROR_CODES = Object.keys(TEXTS) as ProviderErrorCode[];

interface ProviderErrorOptions {
  message?: string;
  retryAfter?: number;
  interrupted?: boolean;
  isFiltered?: boolean;
  status?: number;
  fault?: ConnectionFault;
  adminMessage?: string;
}

/**
 * Failure of a provider. `message` is written for users and holds no body, address or key of the upstream. For the same
 * reason the error carries no `cause`.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Seconds after which the provider asks to be called again. */
  readonly retryAfter?: number;
  /**
   * True if an answer had begun and broke off (lost connection, idle timeout, end without a finish reason). Its text is
   * kept and the message becomes `interrupted` instead of `error`.
   */
  readonly interrupted: boolean;
  /** Whether a filter of the provider ended the answer. Its text so far is valid. */
  readonly isFiltered: boolean;
  /** The upstream's HTTP status, for logs and metrics. */
  readonly status?: number;
  /** The cause more precisely than `code`, for tests of connections; undefined where the code and status suffice. */
  readonly fault?: ConnectionFault;
  /** Cause of a wrong configuration, for admins only: the connection test shows it. */
  readonly adminMessage?: string;

  constructor(
    readonly code: ProviderErrorCode,
    options: ProviderErrorOptions = {},
  ) {
    super(options.message ?? textOf(code, options.retryAfter));
    this.retryAfter = options.retryAfter;
    this.interrupted = options.interrupted ?? false;
    this.isFiltered = options.isFiltered ?? false;
    this.status = options.status;
    this.fault = options.fault;
    this.adminMessage = options.adminMessage;
  }
}

/**
 * Whether a provider may bill a failed call: it had begun to answer, or it was cancelled while it may have worked. A provider
 * that refused the request or could not be reached bills nothing.
 */
export const mayBeBilled = (error: unknown): boolean =>
  !(error instanceof ProviderError) ||
  error.interrupted ||
  error.code === 'timeout_first_token' ||
  error.fault === 'timeout';

/** Error for an answer whose connection was lost or that ended without a finish reason. */
export function answerBrokeOff(): ProviderError {
  const message = 'The connection to the model broke off before the answer was whole.';
  return new ProviderError('provider_unreachable', { interrupted: true, message });
}

/** Error for an address of the provider, or of a picture that it named, that the SSRF guard refused. Not retried. */
export function addressRefused(adminMessage: string): ProviderError {
  return new ProviderError('provider_error', {
    message: TEXTS.provider_auth,
    fault: 'address_forbidden',
    adminMessage,
  });
}

function textOf(code: ProviderErrorCode, retryAfter: number | undefined): string {
  if (code === 'provider_busy' && retryAfter !== undefined) {
    return `The model is busy. Please try again in ${retryAfter} s.`;
  }
  return TEXTS[code];
}
