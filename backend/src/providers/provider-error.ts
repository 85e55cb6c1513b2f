import type { ConnectionFault, ErrorReason, ProviderFailure } from '@tanya/contract';
import { errorSentence } from '../platform/errors/sentences.js';

export const PROVIDER_ERROR_CODES = [
  'provider_auth',
  'provider_credit',
  'provider_busy',
  'provider_error',
  'provider_unreachable',
  'provider_context',
  'provider_refused',
  'timeout_first_token',
  'timeout_idle',
] as const;

export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

interface ProviderErrorOptions {
  /** Chooses a more precise sentence than that of the code. */
  reason?: ErrorReason<ProviderErrorCode>;
  retryAfter?: number;
  interrupted?: boolean;
  isFiltered?: boolean;
  status?: number;
  fault?: ConnectionFault;
  adminMessage?: string;
}

/**
 * Failure of a provider. Its sentence is written for users and holds no body, address or key of the upstream. For the same
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
    const isTimed = code === 'provider_busy' && options.retryAfter !== undefined;
    const seconds = { seconds: options.retryAfter ?? 0 };
    super(errorSentence(code, options.reason ?? (isTimed ? 'seconds' : undefined), seconds));
    this.retryAfter = options.retryAfter;
    this.interrupted = options.interrupted ?? false;
    this.isFiltered = options.isFiltered ?? false;
    this.status = options.status;
    this.fault = options.fault;
    this.adminMessage = options.adminMessage;
  }
}

export type ProviderWords = Pick<ProviderFailure, 'message' | 'type' | 'code' | 'param'>;

/** Kept apart from the errors, which are logged. */
const words = new WeakMap<ProviderError, ProviderWords>();

/** What the provider said about a failure, in a form that may be shown; empty when it said nothing. */
export const wordsOf = (failure: ProviderError): ProviderWords => words.get(failure) ?? {};

/** @param said without keys and text of the request */
export const keepWords = (failure: ProviderError, said: ProviderWords): void => void words.set(failure, said);

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
export const answerBrokeOff = (): ProviderError =>
  new ProviderError('provider_unreachable', { interrupted: true, reason: 'broken_off' });

/** Error for an address of the provider, or of a picture that it named, that the SSRF guard refused. Not retried. */
export const addressRefused = (adminMessage: string): ProviderError =>
  new ProviderError('provider_error', { reason: 'address', fault: 'address_forbidden', adminMessage });

/** An answer of an embedding model that has no vector for each text, or none that can be used. */
export class UnusableVectors extends ProviderError {
  /**
   * @param adminMessage what is wrong with them
   * @param areNone whether the answer has no vector at all
   */
  constructor(
    adminMessage: string,
    readonly areNone = false,
  ) {
    super('provider_error', { adminMessage });
  }
}
