import { Agent, request } from 'node:http';

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** Without a length, in pieces of 64 KB. */
  isChunked?: boolean;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/**
 * Sends a request with an unmodified path and headers. A server may answer and close before it has read the body, so the
 * failure of a write counts only without an answer.
 * @returns status, or the error of a connection that was closed without an answer
 */
export function statusOf(
  url: string,
  { method, path, headers, body, isChunked = false }: Sent,
): Promise<number | string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const length = isChunked ? {} : { 'content-length': String(body?.length ?? 0) };
    const call = request({ agent, hostname, port, method, path, headers: { ...headers, ...length }, timeout: 30_000 });
    call.on('response', (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    call.on('timeout', () => call.destroy(new Error('timed out')));
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    if (isChunked && body !== null)
      for (let at = 0; at < body.length; at += 65_536) call.write(body.subarray(at, at + 65_536));
    call.end(isChunked ? undefined : (body ?? undefined));
  });
}

export const closeConnections = (): void => agent.destroy();
