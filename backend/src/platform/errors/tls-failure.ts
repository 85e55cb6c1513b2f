const TLS_CODE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|ERR_TLS_|ERR_SSL_)/;

/** Whether a TLS handshake failed for a reason that a retry does not change: a certificate, or a server without TLS. */
export function isTlsFailure(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return TLS_CODE.test(code ?? '') || message.includes('does not support SSL connections');
}
