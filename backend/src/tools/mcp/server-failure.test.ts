import { serverFailure } from './server-failure.js';

it.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('calls %s a failure of the secure connection', (code) => {
  const cause = Object.assign(new Error('certificate'), { code });
  expect(serverFailure(new TypeError('fetch failed', { cause })).fault).toBe('tls');
});
