import type { IncomingMessage } from 'node:http';
import { type AddressReader, limitAddress, siteOf } from '../net/client-address.js';
import { isLoopbackHost } from '../net/address-ranges.js';

/** Open sockets of one address in this process: enough for an office, 5 % of the connections of a process. */
export const SOCKETS_PER_ADDRESS = 1_000;

/** Open sockets of one IPv6 site (/48) in this process: a fifth of its connections. */
export const SOCKETS_PER_SITE = 4_000;

const LOOPBACK_V6 = limitAddress('::1');

interface Engine {
  on(event: 'connection', listener: (socket: OpenSocket) => void): unknown;
}

interface OpenSocket {
  request: IncomingMessage;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Limits the open sockets of one address and of one IPv6 site, independent of its guest cookies. Loopback addresses are exempt: behind a local
 * proxy that TRUST_PROXY does not name, every client has one.
 */
export class SocketsByAddress {
  private readonly open = new Map<string, number>();

  constructor(private readonly readAddress: AddressReader) {}

  isFull(request: IncomingMessage): boolean {
    const address = this.readAddress(request);
    const site = siteOf(address);
    return this.count(address) >= SOCKETS_PER_ADDRESS || (site !== null && this.count(site) >= SOCKETS_PER_SITE);
  }

  watch(engine: Engine): void {
    engine.on('connection', (socket) => {
      const address = this.readAddress(socket.request);
      if (isLoopbackHost(address) || address === LOOPBACK_V6) return;
      const site = siteOf(address);
      for (const network of site === null ? [address] : [address, site]) {
        this.add(network, 1);
        socket.once('close', () => this.add(network, -1));
      }
    });
  }

  private count(network: string): number {
    return this.open.get(network) ?? 0;
  }

  private add(network: string, change: number): void {
    const count = this.count(network) + change;
    if (count > 0) this.open.set(network, count);
    else this.open.delete(network);
  }
}
