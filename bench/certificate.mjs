import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Creates a self-signed certificate for 127.0.0.1, valid for two days. A process trusts it with
 * `NODE_EXTRA_CA_CERTS=<certificate>`.
 * @returns paths of the PEM files
 * @throws without `openssl`
 */
export function createCertificate(folder) {
  const key = join(folder, 'upstream.key');
  const certificate = join(folder, 'upstream.crt');
  const { status, error, stderr } = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      '-days',
      '2',
      '-subj',
      '/CN=127.0.0.1',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl created no certificate: ${error?.message ?? stderr}`);
  return { key, certificate };
}
