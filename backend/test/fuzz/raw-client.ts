import { Agent, request } from 'node:http';
import type { RestInput } from './hostile-inputs.js';

export interface RawAnswer {
  status: number;
  type: string;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends a request with an unmodified path and headers, which `fetch` would normalize or refuse. */
export function sendRaw(url: string, { method, path, headers, body }: Omit<RestInput, 'attacker'>): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...headers, 'content-length': String(body?.length ?? 0) },
        timeout: 60_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    call.on('timeout', () => call.destroy(new Error('timed out')));
    call.on('error', reject);
    call.end(body ?? undefined);
  });
}

export const closeRaw = (): void => agent.destroy();
