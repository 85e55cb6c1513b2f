import type { ErrorCode } from '@tanya/contract';

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

interface ProviderErrorOptions {
  message?: string;
  retryAfter?: number;
  interrupted?: boolean;
  status?: number;
  adminMessage?: string;
}

/**
 * What a provider could not do. Its text is ours and safe to show to anybody: never an upstream's body, address or key,
 * which is also why it carries no `cause`.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Seconds after which the provider says it would answer. */
  readonly retryAfter?: number;
  /**
   * True when an answer had begun and then broke off (connection lost, silence, an end without a finish): what arrived
   * is worth keeping, and the message is interrupted rather than failed.
   */
  readonly interrupted: boolean;
  /** The upstream's HTTP status, for logs and metrics. */
  readonly status?: number;
  /** The cause as far as an admin can remove it, for the connection test and the log. Never shown to other users. */
  readonly adminMessage?: string;

  constructor(
    readonly code: ProviderErrorCode,
    options: ProviderErrorOptions = {},
  ) {
    super(options.message ?? textOf(code, options.retryAfter));
    this.retryAfter = options.retryAfter;
    this.interrupted = options.interrupted ?? false;
    this.status = options.status;
    this.adminMessage = options.adminMessage;
  }
}

/** An answer whose connection was lost, or that just ended, in the middle of a sentence. */
export function answerBrokeOff(): ProviderError {
  const message = 'The connection to the model broke off before the answer was whole.';
  return new ProviderError('provider_unreachable', { interrupted: true, message });
}

/** The guard refused to connect to the provider, or to the picture that the provider named. A retry would not help. */
export function addressRefused(adminMessage: string): ProviderError {
  return new ProviderError('provider_error', { message: TEXTS.provider_auth, adminMessage });
}

function textOf(code: ProviderErrorCode, retryAfter: number | undefined): string {
  if (code === 'provider_busy' && retryAfter !== undefined) {
    return `The model is busy. Please try again in ${retryAfter} s.`;
  }
  return TEXTS[code];
}
