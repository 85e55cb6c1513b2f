import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

const SECOND = 1000;

const HEADERS_TIMEOUT_MS = 15 * SECOND;

/** Timeout of a request with its body: an import of 1 GB at 29 Mbit/s, or of 200 MB at 6. Responses have no timeout. */
const REQUEST_TIMEOUT_MS = 300 * SECOND;

/** Longer than the 60 s of load balancers, so that the server never closes a connection that a balancer reuses. */
const KEEP_ALIVE_TIMEOUT_MS = 65 * SECOND;

/** Requests and WebSockets together. Each costs about 20 KB: the limit bounds memory under a flood. */
const MAX_CONNECTIONS = 20_000;

const MAX_HEADERS = 100;

/** Timeout of the first request of a connection opened during shutdown. */
const SHUTDOWN_REQUEST_MS = SECOND;

/** Connections without a request so far. Node counts them as busy until the headers timeout. */
const unused = new WeakMap<Server, Set<Socket>>();

function trackUnused(server: Server): void {
  const sockets = new Set<Socket>();
  unused.set(server, sockets);
  const onRequest = ({ socket }: IncomingMessage) => void sockets.delete(socket);
  server.on('request', onRequest).on('upgrade', onRequest);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

/**
 * Keeps a reset of an upgraded connection from ending the process: Node removes its own listener for errors before the
 * event, and the handshake adds one later, or never on a path without sockets.
 */
function ignoreUpgradeErrors(server: Server): void {
  server.on('upgrade', ({ socket }) => void socket.on('error', () => undefined));
}

/** Requests of one connection that may wait for the answer before theirs. Browsers send none in advance. */
const MAX_PIPELINED = 100;

type Exchange = [request: IncomingMessage, answer: ServerResponse];

/**
 * Begins the requests of a connection one after the other, each in a turn of its own. Node begins all that one read brings,
 * a thousand in a second, and with their connection it ends none of those whose answers wait: whatever counts requests
 * would count them for ever.
 */
function queuePipelined(server: Server): void {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  // After all others: Socket.IO takes over the listeners that it finds.
  server.once('listening', () => {
    const listeners = server.listeners('request');
    const begin = (queue: (() => void)[], exchange: Exchange): void => {
      const [{ socket }, answer] = exchange;
      // An upgrade has taken the connection from this answer, which would never end.
      if (answer.socket !== socket) return void socket.destroySoon();
      answer.once('close', () => {
        const next = queue.shift();
        if (next === undefined) waiting.delete(socket);
        else setImmediate(next);
      });
      for (const listener of listeners) listener.apply(server, exchange);
    };
    server.removeAllListeners('request').on('request', (...exchange: Exchange) => {
      const [{ socket }] = exchange;
      const queue = waiting.get(socket);
      if (queue === undefined) {
        const empty: (() => void)[] = [];
        waiting.set(socket, empty);
        begin(empty, exchange);
      }
      // Bound: else a request would begin in the context of the one before, as the call of the admin who sent that.
      else if (queue.length < MAX_PIPELINED) queue.push(AsyncResource.bind(() => begin(queue, exchange)));
      else socket.destroy();
    });
  });
}

/** Limits number and duration of connections. Node itself limits heads to 16 KB. */
export function limitConnections(server: Server): void {
  ignoreUpgradeErrors(server);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  trackUnused(server);
  queuePipelined(server);
}

/**
 * Ends keep-alive during shutdown: a connection is closed after its response, and connections without a request, which
 * browsers open in advance, are closed at once. Each of them would delay the shutdown.
 * @param lastMs time after which all others are closed too: a slow client could hold the process until it is killed
 */
export function endKeepAlive(server: Server, lastMs: number): void {
  server.keepAliveTimeout = 1;
  const last = setTimeout(() => server.closeAllConnections(), lastMs).unref();
  server.once('close', () => clearTimeout(last));
  const sockets = unused.get(server);
  for (const socket of sockets ?? []) socket.destroy();
  server.on('connection', (socket) => {
    setTimeout(() => sockets?.has(socket) && socket.destroy(), SHUTDOWN_REQUEST_MS).unref();
  });
}

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Answers 405 to methods without any route. TRACE would echo the cookies of a request. */
export const refuseUnknownMethods: RequestHandler = (request, response, next) => {
  if (METHODS.has(request.method)) return next();
  response.setHeader('Allow', [...METHODS].join(', '));
  response.status(405).end();
};

export const forbidCaching: RequestHandler = (request, response, next) => {
  if (/^\/(api|metrics)(\/|$)/i.test(request.path)) response.setHeader('Cache-Control', 'no-store');
  next();
};
