import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { AppError } from '../errors/app-error.js';
import { type AddressReader, limitAddress } from '../net/client-address.js';
import { CountByAddress, isLoopback } from '../net/count-by-address.js';

/** Requests of one address that are in flight in this process: slow bodies, downloads and streams of a large office. */
const REQUESTS_PER_ADDRESS = 1_000;

/** Open connections of one address, 10 % of those of a process: its sockets, and as many others. */
export const CONNECTIONS_PER_ADDRESS = 2_000;

const RETRY_AFTER_SECONDS = 5;

interface Bounds {
  /** Whether TRUST_PROXY is set. Then connections are those of proxies, and loopback addresses are of clients. */
  hasProxy: boolean;
  maxRequests?: number;
  maxConnections?: number;
}

/**
 * Limits what one address holds of this process, apart from its sockets, which have a limit of their own. Requests count
 * for the client's address; connections for that of the peer, and only without a proxy, which has few connections for many.
 */
export class RequestsByAddress {
  private readonly requests: CountByAddress;
  private readonly connections: CountByAddress;

  constructor(
    private readonly readAddress: AddressReader,
    private readonly bounds: Bounds,
  ) {
    this.requests = new CountByAddress(bounds.maxRequests ?? REQUESTS_PER_ADDRESS);
    this.connections = new CountByAddress(bounds.maxConnections ?? CONNECTIONS_PER_ADDRESS);
  }

  watch(server: Server): void {
    if (this.bounds.hasProxy) return;
    server.on('connection', (socket: Socket) => {
      const address = limitAddress(socket.remoteAddress);
      if (isLoopback(address)) return;
      if (this.connections.isFull(address)) return void socket.destroy();
      this.connections.add(address, 1);
      socket.once('close', () => this.connections.add(address, -1));
    });
  }

  /** Refuses further requests of a full address, and closes their connections. */
  readonly middleware: RequestHandler = (request, response, next) => {
    const address = this.readAddress(request as IncomingMessage);
    if (!this.bounds.hasProxy && isLoopback(address)) return next();
    if (this.requests.isFull(address)) {
      response.setHeader('Connection', 'close');
      return next(new AppError('rate_limited', { retryAfter: RETRY_AFTER_SECONDS }));
    }
    this.requests.add(address, 1);
    // Emitted once, also for a request that its client gave up.
    response.once('close', () => this.requests.add(address, -1));
    next();
  };
}
