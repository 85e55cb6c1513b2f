import { ERRORS, type ErrorCode, type PublicApiError } from '@tanya/contract';
import type { Request } from 'express';
import type { AppError } from '../platform/errors/app-error.js';
import type { ErrorFormat } from '../platform/http/http-error.filter.js';
import type { QuotaHeaders } from './quota-headers.js';
import {
  isFirstCall,
  isMessagesPath,
  isMisplaced,
  isOpenAiCall,
  isPublicApi,
  namedMethods,
  withBaseUrl,
} from './api-addresses.js';

const TYPES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'authentication_error',
  quota_exceeded: 'insufficient_quota',
  budget_exceeded: 'insufficient_quota',
  budget_too_small: 'insufficient_quota',
  rate_limited: 'rate_limit_error',
};

const CODES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
  model_unavailable: 'model_not_found',
  provider_busy: 'rate_limit_exceeded',
  provider_context: 'context_length_exceeded',
};

/** Statuses that differ here. A prompt that is too long stays too long: clients retry every 5xx. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  model_unavailable: 404,
  provider_context: 400,
};

/** Statuses of a provider's failures, as OpenAI has them. `POST /chat`, which is older, answers 500. */
const PROVIDER_STATUSES: Partial<Record<ErrorCode, number>> = {
  provider_busy: 429,
  provider_refused: 400,
  provider_auth: 502,
  provider_credit: 502,
  provider_error: 502,
  provider_unreachable: 502,
  timeout_first_token: 504,
  timeout_idle: 504,
};

const METHOD_NOT_ALLOWED = 405;

/** @param isFirst whether the call is `POST /chat` */
function publicStatusOf(error: AppError, isFirst = false): number {
  if (namedMethods(error) !== undefined) return METHOD_NOT_ALLOWED;
  const { code, provider } = error;
  const status = STATUSES[code] ?? ERRORS[code].status;
  const ofProvider = PROVIDER_STATUSES[code];
  if (isFirst || ofProvider === undefined) return status;
  return ofProvider >= 500 && provider?.isTimeout === true ? 504 : ofProvider;
}

/** The refusals of a request by a provider, whose words tell what to change. */
const REFUSALS: readonly ErrorCode[] = ['provider_refused', 'provider_context'];

/** A code of a provider is a name; others have numbers or sentences there. */
const NAME = /^[A-Za-z][\w.-]{0,63}$/;

function codeOf(error: AppError): string {
  const { code, provider } = error;
  if (code === 'provider_refused' && provider?.code !== undefined && NAME.test(provider.code)) return provider.code;
  return CODES[code] ?? code;
}

function typeOf(error: AppError): string {
  const known = TYPES[error.code];
  if (known !== undefined) return known;
  if (/^(provider|timeout)_/.test(error.code)) return 'provider_error';
  return error.status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** Error body as OpenAI's clients expect it. */
export function toPublicApiError(error: AppError): PublicApiError {
  const { message, param } = REFUSALS.includes(error.code) ? (error.provider ?? {}) : {};
  return {
    error: {
      message: message ?? error.message,
      type: typeOf(error),
      code: codeOf(error),
      param: error.details?.[0]?.field ?? param ?? null,
    },
  };
}

/** The error of `POST /chat`: what a provider says is not repeated in a failure of this server. */
function toFirstError(error: AppError): PublicApiError {
  const { code, message } = error;
  const own = toPublicApiError(error).error;
  return { error: PROVIDER_STATUSES[code] === undefined ? own : { ...own, message, code, param: null } };
}

/** Anthropic's types of errors, by their status. */
const MESSAGE_TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
};

/** The field of a conversation that Anthropic keeps, of which a client sends the new messages alone. */
export const THREAD = 'thread';

/** With this its client sends the whole conversation instead, as `toolRunner` of its SDK does. */
const WITHOUT_THREAD = { error_code: 'thread_unsupported_request', unsupported: [THREAD] };

/** Error body as Anthropic's clients expect it. The refused field has no place of its own and precedes the sentence. */
export function toMessageError(error: AppError, requestId: string): object {
  const { message, param } = toPublicApiError(error).error;
  const status = publicStatusOf(error);
  const type = MESSAGE_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const text = param === null || message.includes(param) ? message : `${param}: ${message}`;
  const details = param === THREAD ? { details: WITHOUT_THREAD } : {};
  return { type: 'error', error: { type, message: text, ...details }, request_id: requestId };
}

/** Error shape of `/api/v1`, and of its calls below a wrong base URL. */
export const publicApiErrors = (publicUrl: URL | null, quotas: QuotaHeaders): ErrorFormat => ({
  appliesTo: (request) => isPublicApi(request.path) || isMisplaced(request),
  status: (thrown, request) => publicStatusOf(withBaseUrl(thrown, request, publicUrl), isFirstCall(request.path)),
  headers(thrown, request) {
    const allow = namedMethods(withBaseUrl(thrown, request, publicUrl));
    return {
      // OpenAI's clients call three times on a 409 or a 5xx without this header.
      ...(!thrown.retryable && { 'x-should-retry': 'false' }),
      ...(allow !== undefined && { allow }),
    };
  },
  /** A client whose call was refused sees when its quota resets. */
  async addHeaders({ code }, { identity }, response) {
    if (code === 'quota_exceeded' && identity !== undefined) await quotas.add(identity, response);
  },
  body: (thrown, request) => bodyOf(withBaseUrl(thrown, request, publicUrl), request),
});

/** Anthropic’s clients name their version in every call, also in those that are missing here; some gateways in OpenAI’s. */
function bodyOf(error: AppError, { path, id, headers }: Request): object {
  const isAnthropics = headers['anthropic-version'] !== undefined && !isOpenAiCall(path);
  if (isMessagesPath(path) || isAnthropics) return toMessageError(error, id);
  return isFirstCall(path) ? toFirstError(error) : toPublicApiError(error);
}
