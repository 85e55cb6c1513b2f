import type { IncomingMessage } from 'node:http';
import type { AddressReader } from '../net/client-address.js';
import { CountByAddress, isLoopback } from '../net/count-by-address.js';

/** Open sockets of one address in this process: enough for an office, 5 % of the connections of a process. */
export const SOCKETS_PER_ADDRESS = 1_000;

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
  private readonly open = new CountByAddress(SOCKETS_PER_ADDRESS);

  constructor(private readonly readAddress: AddressReader) {}

  isFull(request: IncomingMessage): boolean {
    return this.open.isFull(this.readAddress(request));
  }

  watch(engine: Engine): void {
    engine.on('connection', (socket) => {
      const address = this.readAddress(socket.request);
      if (isLoopback(address)) return;
      this.open.add(address, 1);
      socket.once('close', () => this.open.add(address, -1));
    });
  }
}
