import type { ConnectionFault } from '@tanya/contract';
import { JsonTooLarge } from '../../platform/json/json-scan.js';
import { connectionFaultOf } from '../../platform/net/connection-fault.js';
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
  const fault = connectionFaultOf(code);
  if (fault !== null) return new OutboundFailure(fault);
  // A broken header or compression: the server was reached.
  if (/^(HPE_|Z_|ERR__|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/.test(code)) return new OutboundFailure('invalid_answer');
  return new OutboundFailure('unreachable');
}
