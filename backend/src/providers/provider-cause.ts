import type { ConnectionFault } from '@tanya/contract';
import type { ProviderError, ProviderErrorCode } from './provider-error.js';

const SENTENCES: Record<ConnectionFault, string> = {
  unauthorized: 'The provider refused the API key.',
  no_credit: 'The provider account has no credit left.',
  rate_limited: 'The provider answered that there are too many requests (status 429).',
  not_found: 'The provider answered with status 404. Please check the path of the base URL, which often ends in /v1.',
  http_error: 'The provider answered with an error.',
  redirect: 'The provider answered with a redirect, which is not followed. Please enter the final address.',
  html: 'The address answered with a web page instead of an API. Please check the path of the base URL.',
  invalid_answer: 'The provider sent an answer that cannot be read.',
  too_large: 'The provider sent an answer that is too large.',
  timeout: 'The provider did not answer in time.',
  dns: 'The host name of the base URL cannot be resolved.',
  refused: 'The host refused the connection. Please check the host and port of the base URL.',
  tls: 'A secure connection could not be established. Please check the certificate and the scheme of the base URL.',
  unreachable: 'The provider cannot be reached.',
  address_forbidden: 'This address is not allowed.',
  not_configured: 'Neither an API key nor a base URL is set.',
};

/** The fault of a provider's failure. */
export function faultOf({ fault, code, status }: ProviderError): ConnectionFault {
  if (fault !== undefined) return fault;
  if (code === 'provider_auth') return 'unauthorized';
  if (code === 'provider_credit') return 'no_credit';
  if (code === 'provider_busy') return 'rate_limited';
  if (code === 'timeout_first_token' || code === 'timeout_idle') return 'timeout';
  if (status === undefined) return code === 'provider_unreachable' ? 'unreachable' : 'invalid_answer';
  if (status < 400) return 'redirect';
  return status === 404 ? 'not_found' : 'http_error';
}

/**
 * The cause of a provider's failure for admins. It is composed of fixed sentences, the status and, for a refused
 * address, its host: never of the upstream's text, which can repeat the key.
 */
export function causeOf(error: ProviderError): string {
  const fault = faultOf(error);
  if (error.adminMessage !== undefined) return error.adminMessage;
  if (fault === 'http_error') return `The provider answered with status ${error.status}.`;
  return SENTENCES[fault];
}

export const sentenceOf = (fault: ConnectionFault): string => SENTENCES[fault];

const CODES: Partial<Record<ConnectionFault, ProviderErrorCode>> = {
  unauthorized: 'provider_auth',
  not_configured: 'provider_auth',
  no_credit: 'provider_credit',
  rate_limited: 'provider_busy',
  timeout: 'provider_unreachable',
  dns: 'provider_unreachable',
  refused: 'provider_unreachable',
  tls: 'provider_unreachable',
  unreachable: 'provider_unreachable',
};

/** The error code of a fault. */
export const codeOf = (fault: ConnectionFault): ProviderErrorCode => CODES[fault] ?? 'provider_error';
