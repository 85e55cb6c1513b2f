import type { IncomingMessage } from 'node:http';
import { type AddressReader, limitAddress } from '../net/client-address.js';
import { isLoopbackHost } from '../net/address-ranges.js';

/** Open sockets of one address in this process: an office with all its tabs, and a twentieth of what a process takes. */
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
 * Keeps one address from taking all the connections of a process, under however many guest cookies, and whether its
 * sockets ever say anything or not. This machine itself is not counted: behind a proxy on it that TRUST_PROXY does not
 * name, everybody would be one address.
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
