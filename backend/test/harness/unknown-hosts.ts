import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

type Callback = (error: Error | null, ...answer: unknown[]) => void;

/** Runs `work` while hosts under `.invalid` are unknown, as on a machine that reaches a name server. */
export async function withUnknownHosts<T>(work: () => Promise<T>): Promise<T> {
  const { lookup } = dns;
  const known = lookup as (...parts: unknown[]) => void;
  setLookup((host: string, options: unknown, callback: Callback) => {
    if (!host.endsWith('.invalid')) return known(host, options, callback);
    const failure = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND', hostname: host });
    setImmediate(() => callback(failure));
  });
  try {
    return await work();
  } finally {
    setLookup(lookup);
  }
}

function setLookup(lookup: unknown): void {
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
}
