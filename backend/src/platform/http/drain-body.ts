import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes of a refused body that are read before the answer goes out. */
export const MAX_DRAINED_BYTES = 1024 * 1024;

/** Lingering close: time for a client that is still sending to read the answer, ms. */
const LINGER_MS = 5_000;

/**
 * Reads and discards the rest of a request's body, at most 1 MB and for 5 s. A client that writes its whole body before it reads
 * gets a connection reset instead of the answer when the body stays unread.
 * @returns whether the body has ended; if not, the connection cannot be reused
 */
export async function drainBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return true;
  return new Promise((resolve) => {
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_DRAINED_BYTES) done(false);
    };
    const onEnd = () => done(true);
    const timer = setTimeout(() => done(false), LINGER_MS);
    const done = (isDrained: boolean) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onEnd);
      resolve(isDrained);
    };
    request.on('data', onData).once('end', onEnd).once('close', onEnd);
    request.resume();
  });
}

/**
 * Sends a JSON answer while the client is still sending its body, then closes the connection. The connection stays open
 * until the body ends, 5 s at most: a reset before that would discard the answer in the client's receive buffer.
 */
export function finishAndClose(request: IncomingMessage, response: ServerResponse, body: object): void {
  const text = Buffer.from(JSON.stringify(body));
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', text.length);
  // `end` would destroy the socket as soon as the answer is flushed.
  response.write(text);
  const close = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(() => {
    close();
    request.destroy();
  }, LINGER_MS);
  request.once('end', close).once('close', close);
  request.resume();
}
