import type { ConnectionFault } from '@tanya/contract';
import { JsonTooLarge } from '../../platform/json/json-scan.js';
import { RefusedAddressError } from '../../platform/net/ssrf-guard.js';

/** A failed request to another server. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';

  /** @param status of the response, where the fault is `http_error`, `unauthorized`, `rate_limited` or `redirect` */
  constructor(
    readonly fault: ConnectionFault,
    readonly status?: number,
  ) {
    super(fault);
  }
}

const DNS = /^(ENOTFOUND|ENODATA|EAI_\w+)$/;
/** Codes of failures to secure a connection; those of certificates are OpenSSL's names. */
export const TLS_CODES = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

const fieldOf = (error: unknown, name: 'code' | 'name'): string => {
  const value = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
};

/** Converts an error of undici, a socket or a decoder. */
export function outboundFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (error instanceof JsonTooLarge) return new OutboundFailure('too_large');
  if (error instanceof RefusedAddressError) return new OutboundFailure('address_forbidden');
  if (fieldOf(error, 'name') === 'TimeoutError') return new OutboundFailure('timeout');
  const code = fieldOf(error, 'code');
  if (DNS.test(code)) return new OutboundFailure('dns');
  if (code === 'ECONNREFUSED') return new OutboundFailure('refused');
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return new OutboundFailure('timeout');
  if (TLS_CODES.test(code)) return new OutboundFailure('tls');
  // A broken header or compression: the server was reached.
  if (/^(HPE_|Z_|ERR__|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/.test(code)) return new OutboundFailure('invalid_answer');
  return new OutboundFailure('unreachable');
}
