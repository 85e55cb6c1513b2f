import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

const SECOND = 1000;

/** A request's head comes in one go; who takes longer holds a connection for nothing. */
const HEADERS_TIMEOUT = 15 * SECOND;

/** The largest message (24 MB) over a slow line of 2 Mbit/s. Answers may take as long as they like. */
const REQUEST_TIMEOUT = 120 * SECOND;

/** Longer than the 60 s that balancers keep a connection, so that none is closed under a request of theirs. */
const KEEP_ALIVE_TIMEOUT = 65 * SECOND;

/** Sockets and calls together. Each costs some 20 KB, so a flood ends here and not in the memory of the machine. */
const MAX_CONNECTIONS = 20_000;

const MAX_HEADERS = 100;

/** During the end, who connects has this long to ask for something, ms. */
const LAST_WORDS = 1 * SECOND;

/** Connections that have not asked for anything yet; Node counts them as busy until their head is overdue. */
const silent = new WeakMap<Server, Set<Socket>>();

function noticeSilence(server: Server): void {
  const sockets = new Set<Socket>();
  silent.set(server, sockets);
  const heard = ({ socket }: IncomingMessage) => void sockets.delete(socket);
  server.on('request', heard).on('upgrade', heard);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

/** Bounds what a connection may cost that never says anything useful. Heads end at 16 KB by Node's own limit. */
export function boundConnections(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  noticeSilence(server);
}

/**
 * While the last answers go out: a connection that has got its own is closed at once, and so are those that browsers
 * open ahead of need, else each would hold up the end.
 */
export function endKeepAlive(server: Server): void {
  server.keepAliveTimeout = 1;
  const sockets = silent.get(server);
  for (const socket of sockets ?? []) socket.destroy();
  server.on('connection', (socket) => {
    setTimeout(() => sockets?.has(socket) && socket.destroy(), LAST_WORDS).unref();
  });
}

const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Methods that nothing here answers, TRACE above all, which would echo a visitor's cookies. */
export const refuseStrangeMethods: RequestHandler = (request, response, next) => {
  if (METHODS.has(request.method)) return next();
  response.setHeader('Allow', [...METHODS].join(', '));
  response.status(405).end();
};

/** What a call answers is about one visitor at one moment: no cache keeps it. */
export const forbidCaching: RequestHandler = (request, response, next) => {
  if (/^\/(api|metrics)(\/|$)/i.test(request.path)) response.setHeader('Cache-Control', 'no-store');
  next();
};
