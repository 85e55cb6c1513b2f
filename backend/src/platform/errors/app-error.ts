import {
  type ErrorCode,
  type ErrorParams,
  type ErrorReason,
  ERROR_REASONS,
  ERRORS,
  type FieldError,
  type GenerationError,
  type ProviderFailure,
} from '@tanya/contract';
import { errorSentence, isNamed } from './sentences.js';

/** Default Retry-After of 503 answers, in seconds. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = { storage_unavailable: 2, shutting_down: 5, server_busy: 1 };

interface AppErrorOptions {
  params?: ErrorParams;
  details?: FieldError[];
  /** Seconds. */
  retryAfter?: number;
  cause?: unknown;
}

/** A code, or a code with one of its reasons, which has a more precise sentence. */
type AppErrorArguments =
  | [code: ErrorCode, options?: AppErrorOptions & { reason?: undefined }]
  | { [C in ErrorCode]: [code: C, options: AppErrorOptions & { reason: ErrorReason<C> }] }[ErrorCode];

/** Error with a code of the contract and the sentence of that code. Any other thrown value becomes `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: FieldError[] | undefined;
  /** Values of the sentence, with the reason where bodies name it. */
  readonly params: ErrorParams | undefined;
  readonly retryAfter: number | undefined;
  /** What the provider said, of a stored answer to a program. Only the API for programs shows it. */
  provider?: ProviderFailure;
  /** The answer that failed, which has an entry of its own in the list of failures. */
  generationId?: string;

  constructor(...[code, { reason, params, details, retryAfter, cause } = {}]: AppErrorArguments) {
    super((reason === undefined && details?.[0]?.message) || errorSentence(code, reason, params), { cause });
    this.code = code;
    this.details = details;
    this.params = reason !== undefined && isNamed(code, reason) ? { reason, ...params } : params;
    this.retryAfter = retryAfter ?? RETRY_AFTER[code];
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get retryable(): boolean {
    return ERRORS[this.code].retryable;
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

/** The error of an answer as it is stored: that of an answer to a program has what the provider said. */
export interface StoredError extends GenerationError {
  provider?: ProviderFailure;
}

/** An error whose sentence was made before: that of a stored answer, or the cause of a provider's failure. */
export function errorWithSentence({
  code,
  message,
  retryAfter,
  provider,
  generationId,
}: Pick<StoredError, 'code' | 'message' | 'retryAfter' | 'provider'> & { generationId?: string }): AppError {
  const error = new AppError(code, { retryAfter });
  error.message = message;
  error.provider = provider;
  error.generationId = generationId;
  return error;
}

export const refuseField = (field: string, reason: keyof typeof ERROR_REASONS.invalid): AppError =>
  invalidField(field, ERROR_REASONS.invalid[reason], reason);

/** Refuses one field with a sentence for programs, which names the field. @param code of the violated rule */
export const invalidField = (field: string, message: string, code?: string): AppError =>
  new AppError('invalid', { details: [{ field, message, ...(code === undefined ? {} : { code }) }] });
