import { CONNECTION_FAULTS, type ConnectionFault, type ProviderFailure } from '@tanya/contract';
import { type ProviderError, type ProviderErrorCode, wordsOf } from './provider-error.js';

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
  return CONNECTION_FAULTS[fault];
}

/** Statuses of servers and gateways that waited too long. */
const TIMEOUT_STATUSES: readonly number[] = [408, 504, 522, 524];

/** What is known about a provider's failure, for programs. */
export function providerFailureOf(error: ProviderError): ProviderFailure {
  const { status } = error;
  const isTimeout = faultOf(error) === 'timeout' || (status !== undefined && TIMEOUT_STATUSES.includes(status));
  return { ...wordsOf(error), ...(status !== undefined && { status }), ...(isTimeout && { isTimeout }) };
}

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

export const codeOf = (fault: ConnectionFault): ProviderErrorCode => CODES[fault] ?? 'provider_error';
