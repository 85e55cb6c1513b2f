import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { SOCKET_PATH } from '@tanya/contract';

/** Headers, and entries of `Connection`, that belong to the offer of another protocol. */
const OF_OFFER = new Set(['upgrade', 'http2-settings']);

/**
 * Serves requests that offer another protocol as if they did not, which is what the standard has a server do that knows only
 * HTTP/1.1. Node takes them for upgrades, and none would get an answer: Java's client offers HTTP/2 with the first request of
 * each connection without TLS. Calls of sockets are left to Socket.IO, which has to leave the others (`destroyUpgrade`).
 */
export function serveOtherUpgrades(server: Server): void {
  const served = new WeakSet<Socket>();
  server.on('upgrade', (request: IncomingMessage, socket: Socket, rest: Buffer) => {
    if (request.url!.startsWith(`${SOCKET_PATH}/`)) return;
    // Node reads no headers beyond the limit. Without the length, the body would be a request of its own.
    const isCut = server.maxHeadersCount !== null && request.rawHeaders.length >= 2 * server.maxHeadersCount;
    // No client offers twice, and each time adds listeners to the connection.
    if (isCut || served.has(socket)) return void socket.destroy();
    served.add(socket);
    socket.unshift(Buffer.concat([headWithoutOffer(request), rest]));
    server.emit('connection', socket);
  });
}

function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at]!, rawHeaders[at + 1]!];
    const kept = /^connection$/i.test(name) ? value.split(',').filter(isKept).join() : value;
    if (isKept(name) && kept !== '') lines.push(`${name}: ${kept}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

const isKept = (name: string): boolean => !OF_OFFER.has(name.trim().toLowerCase());
