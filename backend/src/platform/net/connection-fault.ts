import type { ConnectionFault } from '@tanya/contract';

/** Codes of the resolver. */
const DNS = /^(ENOTFOUND|ENODATA|EAI_\w+)$/;

/** Codes of failures to secure a connection; those of certificates are OpenSSL's names. */
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** Why there is no connection, by the code of the error; null for other codes. */
export function connectionFaultOf(code: string): ConnectionFault | null {
  if (DNS.test(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  return TLS.test(code) ? 'tls' : null;
}
