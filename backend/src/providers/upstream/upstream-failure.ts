import type { ConnectionFault } from '@tanya/contract';
import { APIConnectionError } from 'openai';
import { connectionFaultOf } from '../../platform/net/connection-fault.js';
import { RefusedAddressError } from '../../platform/net/ssrf-guard.js';
import { addressRefused, ProviderError, type ProviderErrorCode } from '../provider-error.js';
import { detailOf, type FailureDetail, isErrorPage, MAX_TEXT } from './dialect/error-shape.js';
import { saysTooLong } from './dialect/prompt-too-long.js';
import { type RetryHeaders, retryDelayOf, statedDelayOf } from './dialect/retry-delay.js';

const REFUSAL =
  /content[ _-]?(policy|filter|management|moderation)|moderation|safety system|flagged|data_?inspection_?failed|(inappropriate|prohibited|sensitive|harmful) (content|information)|content exists risk|sensitive_?(words?|content)|violates usage guidelines|new_sensitive|违规|敏感/i;
const CREDIT =
  /insufficient[ _-]?((account|user)[ _-])?(quota|credit|funds|balance)|exceeded your current (token )?quota|credit balance is too low|\bkey limit exceeded|reached your specified( \w+){0,3} usage limits|\bmonthly spending limit\b|quota is not enough|have any credits|余额不足|额度不足|欠费/i;
/** What a refusal says of such an account, and a rate limit too: to get a higher one. */
const CREDIT_OF_REFUSAL = /free tier .{0,40}exhausted|valid credit card/i;
/** Codes and types of an account without credit. Messages name the billing page for a rate limit too. */
const CREDIT_NAME =
  /insufficient[ _-]?(user[ _-])?(quota|credit|funds|balance)|exceeded_current_quota|account_?quota_?exceeded|pre_consume_\w{0,20}quota|budget_exceeded|free_?tier_?only|billing|arrear|overdue/i;
/** A wrong key, for which Gemini and xAI send 400, or one that the provider does not serve where this server stands. */
const KEY =
  /api[ _-]?key[ _](you provided )?(is |was |has |has been )?(not (valid|found|provided)|invalid|incorrect|expired|missing|required|revoked|disabled|reported as leaked)|(invalid|incorrect|expired|valid|missing|no)[ _]?api[ _-]?key|provide an api key|invalid (authentication|proxy server token)|authentication_?error\b|login fail|无效的(令牌|api ?key)|身份验证失败|location is not supported/i;
const BUSY_WORDS =
  /^rate limit\b|\b(too many requests|rate_?limit_?error|overloaded|too busy|at capacity|high demand|concurrency limit|requests per minute|throttling(exception)?)\b|访问量过大|负载|繁忙|并发/i;
const BUSY_NAME = /rate[_-]?limit|overloaded|too_?many_?requests|throttl|resource_?exhausted|server_?busy/i;
/** A rate that is used up, which a server that is overloaded does not say. */
const RATE =
  /rate[ _-]?limit[ _-]?(error|exceeded|reached)|\btoo[ _]?many[ _]?requests\b|\bthrottling|resource_?exhausted|\brequests per minute\b/i;
/** Characters of a message that may tell of a server that is busy. A longer one may repeat the request. */
const SHORT_MESSAGE = 300;
/** OpenRouter's 404 for a request that no provider of the model takes. */
const UNSUPPORTED = /no endpoints found that support|does not support/i;
/** What llama.cpp and servers in Python refuse with 500: pictures, tools, roles of a template, parameters. */
const NOT_TAKEN = /\bnot supported\b|\bunsupported\b|does not support|\bjinja\b|\bunexpected keyword argument\b/i;
/**
 * A model that the server does not have, has not loaded, or has no longer: 400 of OpenRouter, DeepSeek, Mistral, Groq and
 * LiteLLM. So does one that the account may not use: 403 of OpenAI, Groq, Bedrock and GitHub.
 */
const UNKNOWN_MODEL: readonly RegExp[] = [
  /\b(unknown|invalid|no such) model\b(?! (parameter|input|option|setting|argument|output|config))|\bno model (found|with)\b|\bmodel[_ ]not[_ ](found|exist|supported|loaded)|\bno models? (is |are )?loaded\b|\bmodel_decommissioned\b|\bunsupported model\b|\bnot supported model\b/i,
  /\bmodel ['"`\w./:-]{1,200} (does not exist|not found|is not (available|loaded)|has been deprecated|is not a valid model)|\bmodel is not loaded\b|not a valid model id|\bmodel identifier is invalid|\brequested model is not supported|\bcould not find model\b/i,
  /\b(does not|don['’]t|no) (have )?access to (the )?model\b|\bmodel_permission_blocked/i,
  /模型不存在|endpoint_?or_?model\.?not_?found/i,
];
/** What the 404 of an unknown model speaks of; that of an address names the address. */
const OF_MODEL = /(?<![/\w])models?\b|\bdeployment\b|\bno endpoints found\b/i;
/** Answers of a server that does not have the address: FastAPI's, Go's, Express's. They say nothing of a model. */
const NO_ADDRESS = /^(404:? )?(page )?not found\.?$|^cannot (post|get) \//i;
/** Cloudflare, of a request that it does not let through. */
const BLOCKED = /^error code: 1\d{3}$/i;

/** What upstreams said: kept apart from the errors, which are shown and logged. */
const details = new WeakMap<ProviderError, FailureDetail>();

/** What the upstream said about a failure; empty when it said nothing. */
export const detailOfFailure = (failure: ProviderError): FailureDetail => details.get(failure) ?? {};

/** Converts an error of the SDK, undici or a socket to a ProviderError. */
export function failureOf(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof RefusedAddressError) return addressRefused(error.message);
  if (error instanceof APIConnectionError) {
    return error.cause ? failureOf(error.cause) : new ProviderError('provider_unreachable');
  }
  const fault = networkFaultOf(error);
  return fault === null ? new ProviderError('provider_error') : new ProviderError('provider_unreachable', { fault });
}

/** Whether an upstream refused a request, and its moderation did not: it would count another try. */
export const isRefused = (failure: ProviderError): boolean =>
  failure.code === 'provider_refused' &&
  [400, 422].includes(failure.status ?? 0) &&
  !REFUSAL.test(wordsOf(detailOfFailure(failure)));

/** Converts an error object inside a response with status 200 to a ProviderError. */
export function failureOfEvent(error: unknown): ProviderError {
  const detail = detailOf(error);
  return failureOfStatus(detail.status ?? statusOfName(detail), detail, undefined, undefined);
}

/**
 * The failure of a whole answer with status 200 that is an error. One of the server has taken the time of a call: it is not
 * called again.
 */
export function failureOfAnswer(error: unknown): ProviderError {
  const failure = failureOfEvent(error);
  if (failure.code !== 'provider_error' || failure.status === 404) return failure;
  const final = new ProviderError('provider_error');
  details.set(final, detailOfFailure(failure));
  return final;
}

/** The failure of a response with an error status. @param body of any shape: JSON, a text or a page */
export function failureOfResponse(status: number, headers: RetryHeaders, body: string): ProviderError {
  const text = body.trim();
  if (isErrorPage(text)) return failureOfPage(status, text, headers);
  return failureOfStatus(status, detailOf(body), retryDelayOf(headers, body), statedDelayOf(headers, body));
}

/** A page comes from a proxy, or from a server without this address: it judges neither the key nor the model. */
function failureOfPage(status: number, page: string, headers: RetryHeaders): ProviderError {
  const [, title = ''] = /<title>([^<]{1,200})/i.exec(page) ?? [];
  const detail = { message: title.trim().slice(0, MAX_TEXT) };
  if (status !== 403 && status !== 404)
    return failureOfStatus(status, detail, retryDelayOf(headers, ''), statedDelayOf(headers, ''));
  const failure = new ProviderError('provider_error', { status });
  details.set(failure, detail);
  return failure;
}

/** HTTP status for upstreams that send a name instead of a number. */
function statusOfName(detail: FailureDetail): number {
  const name = nameOf(detail);
  const words = wordsOf(detail);
  // MiniMax has numbers of its own for a rate and for an account without credit, and says them in the message alone.
  if (BUSY_NAME.test(name) || BUSY_WORDS.test(detail.message ?? '')) return 429;
  if (CREDIT_NAME.test(name) || CREDIT.test(words)) return 429;
  if (saysTooLong(detail) || REFUSAL.test(words)) return 400;
  if (/auth|permission/i.test(name) || KEY.test(words)) return 401;
  if (saysUnknownModel(words)) return 404;
  return /invalid_request|bad_request/i.test(name) ? 400 : 500;
}

/** A message of one word is a name: some gateways pass on the code alone. */
const nameOf = ({ code = '', type = '', message = '' }: FailureDetail): string =>
  `${code} ${type} ${/^[\w.]{1,100}$/.test(message) ? message : ''}`;

const wordsOf = ({ code = '', type = '', message = '' }: FailureDetail): string => `${code} ${type} ${message}`;

const namesModel = (detail: FailureDetail): boolean =>
  OF_MODEL.test(detail.message ?? '') || saysUnknownModel(wordsOf(detail));

const saysUnknownModel = (words: string): boolean => UNKNOWN_MODEL.some((each) => each.test(words));

/** Statuses of a server, or a proxy before it, that cannot answer for a while and may say for how long. */
const UNAVAILABLE: readonly number[] = [502, 503, 529];

/** Statuses with which gateways pass on what the provider behind them refused. */
const OF_GATEWAYS: readonly number[] = [500, 502, 503];

/** Those of the provider behind a gateway that say more than the gateway's own. A request that it refuses stays the gateway's failure. */
const OF_PROVIDER: readonly number[] = [401, 402, 403, 404, 408, 429];

/** A place within the texts of a request, of which a message repeats what their writer has named. */
const WITHIN_REQUEST = /^(tools|functions|messages|input|response_format|text)\W/;
const OF_TEXTS =
  /\b(tools|functions?_?declarations|messages|contents)(\[\d+\]|\.\d+\b)|\binvalid schema for (function|response_format)\b/i;

/** Whether a refusal is of what a request says: then it tells nothing of the account, its key, the model or the server. */
const isOfTexts = (status: number, { param = '', message = '' }: FailureDetail): boolean =>
  (status === 400 || status === 422) && (WITHIN_REQUEST.test(param) || OF_TEXTS.test(message));

/** The status that a body tells of, where that of its response is a wrong one. */
function statusMeant(given: number, detail: FailureDetail): number {
  if (isOfTexts(given, detail)) return given;
  const { message = '', status: inner = given } = detail;
  const words = wordsOf(detail);
  const isShort = message.length < SHORT_MESSAGE;
  if (OF_GATEWAYS.includes(given)) {
    if (CREDIT_NAME.test(nameOf(detail)) || (isShort && (CREDIT.test(words) || RATE.test(words)))) return 429;
    return OF_PROVIDER.includes(inner) ? statusMeant(inner, detail) : given;
  }
  if (given === 400 && (BUSY_NAME.test(nameOf(detail)) || (isShort && BUSY_WORDS.test(message)))) return 429;
  return [400, 403, 422].includes(given) && saysUnknownModel(words) ? 404 : given;
}

/** @param stated the delay that the server states for this request: a server without credit states none */
function failureOfStatus(
  given: number,
  detail: FailureDetail,
  retryAfter: number | undefined,
  stated: number | undefined,
): ProviderError {
  const status = statusMeant(given, detail);
  const code = codeOf(status, detail, stated);
  const isOfModel = status === 404 && code === 'provider_error' && !NO_ADDRESS.test(detail.message ?? '');
  const reason = isOfModel ? 'no_model' : undefined;
  const fault = isOfModel && namesModel(detail) ? 'unknown_model' : undefined;
  const pause = code === 'provider_error' && UNAVAILABLE.includes(status) ? stated : undefined;
  const failure = new ProviderError(code, {
    status,
    reason,
    fault,
    retryAfter: code === 'provider_busy' ? retryAfter : pause,
  });
  details.set(failure, detail);
  return failure;
}

function codeOf(status: number, detail: FailureDetail, stated: number | undefined): ProviderErrorCode {
  if (isOfTexts(status, detail)) return saysTooLong(detail) ? 'provider_context' : 'provider_refused';
  const words = wordsOf(detail);
  if (status === 402 || ([400, 403, 412, 429].includes(status) && lacksCredit(status, detail, stated)))
    return 'provider_credit';
  if (status === 403 && (REFUSAL.test(words) || detail.hasReasons)) return 'provider_refused';
  if (status === 403 && BLOCKED.test(detail.message ?? '')) return 'provider_error';
  if (status === 401 || status === 403 || (status === 400 && KEY.test(words))) return 'provider_auth';
  // 498 is Groq's, for want of capacity.
  if (status === 429 || status === 498) return exceedsMinute(detail, stated) ? 'provider_context' : 'provider_busy';
  if (status === 413)
    return BUSY_NAME.test(nameOf(detail)) && !exceedsMinute(detail, stated) ? 'provider_busy' : 'provider_context';
  if ([400, 422, ...OF_GATEWAYS].includes(status) && saysTooLong(detail)) return 'provider_context';
  if (status === 400 || status === 422) return 'provider_refused';
  if ((status === 500 || status === 501) && NOT_TAKEN.test(words)) return 'provider_refused';
  if (status === 415 || status === 451 || (status === 404 && UNSUPPORTED.test(words))) return 'provider_refused';
  return 'provider_error';
}

/** Tokens of a request and of its account's minute, in the words of Groq and OpenAI. */
const SHARE = /\bLimit (\d{1,12}), Requested (\d{1,12})\b/;

/** Whether a request has more tokens than its account may send in a minute, so that no wait helps. A stated delay says otherwise. */
function exceedsMinute({ message = '' }: FailureDetail, stated: number | undefined): boolean {
  const [, limit, requested] = SHARE.exec(message) ?? [];
  return stated === undefined && Number(requested) > Number(limit);
}

/** Whether a 400, 403, 412 or 429 means an account without credit. The message decides only where the code and type are silent. */
function lacksCredit(status: number, detail: FailureDetail, stated: number | undefined): boolean {
  const name = nameOf(detail);
  if (CREDIT_NAME.test(name)) return true;
  const { message = '' } = detail;
  const says = CREDIT.test(message) || (status === 403 && CREDIT_OF_REFUSAL.test(message));
  return stated === undefined && !BUSY_NAME.test(name) && says;
}

/**
 * The fault of a network error, which has a `code`; null for other errors. HTTP parser errors and oversized headers have
 * a code too, but there the upstream was reached and its response is broken; so has a key that no header can hold.
 */
function networkFaultOf(error: unknown): ConnectionFault | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (typeof code !== 'string' || /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|INVALID_ARG)$)/.test(code)) return null;
  return connectionFaultOf(code) ?? 'unreachable';
}
