import type { IncomingMessage } from 'node:http';
import { type AddressReader, limitAddress } from '../net/client-address.js';
import { isLoopbackHost } from '../net/address-ranges.js';

/** Open sockets of one address in this process: enough for an office, 5 % of the connections of a process. */
export const SOCKETS_PER_ADDRESS = 1_000;

const LOOPBACK_V6 = limitAddress('::1');

interface Engine {
  on(event: 'connection', listener: (socket: OpenSocket) => void): unknown;
}

interface OpenSocket {
  request: IncomingMessage;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Limits the open sockets of one address, independent of its guest cookies. Loopback addresses are exempt: behind a local
 * proxy that TRUST_PROXY does not name, every client has one.
 */
export class SocketsByAddress {
  private readonly open = new Map<string, number>();

  constructor(private readonly readAddress: AddressReader) {}

  isFull(request: IncomingMessage): boolean {
    return (this.open.get(this.readAddress(request)) ?? 0) >= SOCKETS_PER_ADDRESS;
  }

  watch(engine: Engine): void {
    engine.on('connection', (socket) => {
      const address = this.readAddress(socket.request);
      if (isLoopbackHost(address) || address === LOOPBACK_V6) return;
      this.add(address, 1);
      socket.once('close', () => this.add(address, -1));
    });
  }

  private add(address: string, change: number): void {
    const count = (this.open.get(address) ?? 0) + change;
    if (count > 0) this.open.set(address, count);
    else this.open.delete(address);
  }
}
