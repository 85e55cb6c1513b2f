import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemProgram } from '../../../../scripts/testing/system-program.mjs';

/** Paths of PEM files. */
export interface Certificate {
  key: string;
  certificate: string;
}

/** Creates a self-signed certificate of this machine. A process trusts it with `NODE_EXTRA_CA_CERTS`. */
export function createCertificate(): Certificate {
  const folder = join(process.env.TANYA_TEST_FOLDER!, 'certificates', randomUUID());
  mkdirSync(folder, { recursive: true });
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  execFileSync(
    systemProgram({ names: ['openssl'], aptPackage: 'openssl' }),
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      certificate,
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
    ],
    { stdio: 'ignore' },
  );
  return { key, certificate };
}
