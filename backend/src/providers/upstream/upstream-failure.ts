import type { ConnectionFault } from '@tanya/contract';
import { APIConnectionError } from 'openai';
import { RefusedAddressError } from '../../platform/net/ssrf-guard.js';
import { addressRefused, ProviderError, type ProviderErrorCode } from '../provider-error.js';
import { detailOf, type FailureDetail, isErrorPage, MAX_TEXT } from './dialect/error-shape.js';
import { type RetryHeaders, retryDelayOf, statedDelayOf } from './dialect/retry-delay.js';

/** The words of each server for a prompt that is too long. */
const CONTEXT_WORDS: readonly RegExp[] = [
  // "Too many tokens, please wait" of Bedrock is a rate.
  /context[ _-]?(length|window|size)|maximum context|too many (input )?tokens(?!,? (please wait|per\b))/i,
  // Anthropic, Bedrock.
  /(prompt|input)( tokens)? (is |are )?too long/i,
  // Gemini, SGLang.
  /(input|prompt|token)s? (token count|count|length)\b.{0,40}\bexceed/i,
  // Z.AI.
  /(prompt|input) exceeds max(imum)? length/i,
  // xAI, vLLM with pictures.
  /maximum (prompt|input|model) length/i,
  // GPT-5 behind Databricks and Azure; watsonx.
  /(input|prompt) tokens\b.{0,20}\bexceed/i,
  // SiliconFlow and TabbyAPI; Volcengine.
  /\bmax_seq_len\b|exceed max(imum)? message tokens/i,
  // TensorRT-LLM; vLLM, of a prompt that leaves no room for an answer.
  /\bexceed max_num_tokens\b|\bmax_tokens must be at least 1, got -\d/i,
  // Alibaba.
  /range of input length/i,
  // Text Generation Inference.
  /\binputs`? (tokens|must have less)/i,
  // llama.cpp, for one of the texts to embed.
  /\binput (\(\d+ tokens\) )?is too large to process/i,
  // Kimi, and gateways.
  /exceed(s|ed)? (the |your |model )*token limit|token limit exceeded/i,
  // Groq.
  /reduce the length of (the|your) (messages|prompt|input)/i,
  // Servers in China, in their own language.
  /(prompt|输入|上下文|长度)\s*(长度)?(超长|超过|超出|过长)/i,
];
const saysContext = (words: string): boolean => CONTEXT_WORDS.some((each) => each.test(words));

const REFUSAL = /content[ _-]?(policy|filter|management)|moderation|safety system|flagged/i;
const CREDIT =
  /insufficient[ _-]?(quota|credit|funds|balance)|exceeded your current quota|credit balance is too low|\bkey limit exceeded|reached your specified( \w+){0,3} usage limits|余额不足|欠费/i;
/** Codes and types of an account without credit. Messages name the billing page for a rate limit too. */
const CREDIT_NAME =
  /insufficient[ _-]?(quota|credit|funds|balance)|exceeded_current_quota|budget_exceeded|billing|arrear|overdue/i;
/** A wrong key, for which Gemini and xAI send 400, or one that the provider does not serve where this server stands. */
const KEY =
  /api[ _-]?key[ _](is |has )?(not valid|invalid|incorrect|expired)|(invalid|incorrect|expired) api[ _-]?key|location is not supported/i;
const BUSY_WORDS = /^(rate limit|too many requests)\b/i;
const BUSY_NAME = /rate[_-]?limit|overloaded|too_many_requests/i;
/** OpenRouter's 404 for a request that no provider of the model takes. */
const UNSUPPORTED = /no endpoints found that support|does not support/i;
/** What llama.cpp and servers in Python refuse with 500: pictures, tools, roles of a template, parameters. */
const NOT_TAKEN = /\bnot supported\b|\bunsupported\b|does not support|\bjinja\b|\bunexpected keyword argument\b/i;
/** A model that the server does not have, or no longer: 400 of OpenRouter, DeepSeek, Mistral and Groq. */
const UNKNOWN_MODEL =
  /\b(unknown|invalid|no such) model\b(?! (parameter|input|option|setting|argument|output|config))|\bno model found\b|\bmodel[_ ]not[_ ](found|exist)|\bmodel_decommissioned\b|\bmodel ['"`\w./:-]{1,200} (does not exist|not found|is not available)|not a valid model id/i;
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
  // MiniMax has numbers of its own for a rate and for an account without credit, and says them in the message alone.
  if (BUSY_NAME.test(name) || BUSY_WORDS.test(detail.message ?? '') || CREDIT.test(wordsOf(detail))) return 429;
  if (saysContext(wordsOf(detail))) return 400;
  if (/auth|invalid_api_key|permission/i.test(name)) return 401;
  if (/invalid_request|bad_request|content_policy|content_filter|context_length/i.test(name)) return 400;
  return 500;
}

const nameOf = ({ code = '', type = '' }: FailureDetail): string => `${code} ${type}`;

const wordsOf = (detail: FailureDetail): string => `${nameOf(detail)} ${detail.message ?? ''}`;

/** Statuses of a server, or a proxy before it, that cannot answer for a while and may say for how long. */
const UNAVAILABLE: readonly number[] = [502, 503, 529];

/** @param stated the delay that the server states for this request: a server without credit states none */
function failureOfStatus(
  given: number,
  detail: FailureDetail,
  retryAfter: number | undefined,
  stated: number | undefined,
): ProviderError {
  const isUnknownModel = (given === 400 || given === 422) && UNKNOWN_MODEL.test(wordsOf(detail));
  const status = isUnknownModel ? 404 : given;
  const code = codeOf(status, detail, stated);
  const isOfModel = status === 404 && code === 'provider_error' && !NO_ADDRESS.test(detail.message ?? '');
  const reason = isOfModel ? 'no_model' : undefined;
  const pause = code === 'provider_error' && UNAVAILABLE.includes(status) ? stated : undefined;
  const failure = new ProviderError(code, {
    status,
    reason,
    retryAfter: code === 'provider_busy' ? retryAfter : pause,
  });
  details.set(failure, detail);
  return failure;
}

function codeOf(status: number, detail: FailureDetail, stated: number | undefined): ProviderErrorCode {
  const words = wordsOf(detail);
  if (status === 402 || ([400, 403, 429].includes(status) && lacksCredit(detail, stated))) return 'provider_credit';
  if (status === 403 && (REFUSAL.test(words) || detail.hasReasons)) return 'provider_refused';
  if (status === 403 && BLOCKED.test(detail.message ?? '')) return 'provider_error';
  if (status === 401 || status === 403 || (status === 400 && KEY.test(words))) return 'provider_auth';
  // 498 is Groq's, for want of capacity.
  if (status === 429 || status === 498) return exceedsMinute(detail, stated) ? 'provider_context' : 'provider_busy';
  if (status === 413)
    return BUSY_NAME.test(nameOf(detail)) && !exceedsMinute(detail, stated) ? 'provider_busy' : 'provider_context';
  if ([400, 422, 500].includes(status) && saysContext(words)) return 'provider_context';
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

/** Whether a 400, 403 or 429 means an account without credit. The message decides only where the code and type are silent. */
function lacksCredit(detail: FailureDetail, stated: number | undefined): boolean {
  const name = nameOf(detail);
  if (CREDIT_NAME.test(name)) return true;
  return stated === undefined && !BUSY_NAME.test(name) && CREDIT.test(detail.message ?? '');
}

/** Codes of the resolver. */
const DNS = /^(ENOTFOUND|ENODATA|EAI_\w+)$/;
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/**
 * The fault of a network error, which has a `code`; null for other errors. HTTP parser errors and oversized headers have
 * a code too, but there the upstream was reached and its response is broken; so has a key that no header can hold.
 */
function networkFaultOf(error: unknown): ConnectionFault | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (typeof code !== 'string' || /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|INVALID_ARG)$)/.test(code)) return null;
  if (DNS.test(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  return TLS.test(code) ? 'tls' : 'unreachable';
}
