import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const SECOND = 1000;

interface Bounds {
  /** Time in which a body must bring `minBytes`, ms. */
  bodyWindowMs: number;
  minBytes: number;
  /** Time without progress after which an answer is given up, ms. */
  stallMs: number;
}

/** 1 kB/s is below any connection that serves a page. */
const BOUNDS: Bounds = { bodyWindowMs: 15 * SECOND, minBytes: 15_000, stallMs: 60 * SECOND };

/**
 * Closes the connections of clients that send a body at less than 1 kB/s, or take nothing of an answer for a minute: each
 * holds a connection, a file or an answer in memory. A stream that has nothing to send may stay silent.
 */
export function closeSlowClients(server: Server, bounds = BOUNDS): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    watchBody(request, bounds);
    response.setTimeout(bounds.stallMs, () => {
      // Node prolongs the time whenever a part of the answer has left.
      if (request.socket.writableLength > 0) request.socket.destroy();
    });
  });
}

function watchBody(request: IncomingMessage, { bodyWindowMs, minBytes }: Bounds): void {
  const { socket } = request;
  let before = socket.bytesRead;
  let wasWaiting = true;
  const watch = setInterval(() => {
    if (request.complete || request.destroyed) return clearInterval(watch);
    // Bytes that wait here are late by the server's own fault.
    const isWaiting = request.readableLength === 0;
    if (isWaiting && wasWaiting && socket.bytesRead - before < minBytes) socket.destroy();
    before = socket.bytesRead;
    wasWaiting = isWaiting;
  }, bodyWindowMs).unref();
  // Not of the socket, which may serve thousands of requests of a proxy.
  request.once('close', () => clearInterval(watch));
}
