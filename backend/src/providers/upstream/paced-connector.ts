import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { ReadClock } from './read-clock.js';

/** Pacing of one upstream socket. A socket starts unpaced. */
export class SocketPacing {
  private isPaced = false;
  private slot = 0;

  constructor(
    private readonly clock: ReadClock,
    private readonly read: () => void,
  ) {}

  /** Reads the socket on the beat from now on. */
  start(): void {
    if (this.isPaced) return;
    this.isPaced = true;
    this.slot = this.clock.assignSlot();
  }

  /** Reads the socket without pacing again, for the next response on the connection. */
  stop(): void {
    this.isPaced = false;
    if (this.clock.cancel(this.read, this.slot)) this.read();
  }

  /** Called when the stream needs more bytes. */
  requestRead(): void {
    if (!this.isPaced || !this.clock.defer(this.read, this.slot)) this.read();
  }
}

let current: SocketPacing | null = null;

/** The pacing of the socket whose bytes undici is parsing; null outside of a response handler and for other agents. */
export const currentPacing = (): SocketPacing | null => current;

/**
 * Wraps a connector of sockets with `highWaterMark: 1`. With that mark Node stops reading (`readStop`) after each chunk and
 * calls `_read` for the next one, which this wrapper can defer to the beat. Pausing a flowing socket instead would go on
 * reading up to the high-water mark. Everything else of the connector stays: session cache, SNI, timeouts, reuse.
 */
export function pacedConnector(connect: buildConnector.connector, clock: ReadClock): buildConnector.connector {
  return (target, callback) => {
    connect(target, (...result: Parameters<typeof callback>) => {
      // undici passes the error alone when the connection failed.
      const socket = result[1] as Socket | null | undefined;
      if (socket) pace(socket, clock);
      callback(...result);
    });
  };
}

function pace(socket: Socket, clock: ReadClock): void {
  const read = socket.read.bind(socket);
  const readMore = socket._read.bind(socket);
  const pacing = new SocketPacing(clock, () => {
    if (!socket.destroyed) readMore(0);
  });
  socket._read = () => pacing.requestRead();
  // undici parses inside of `read`, so the response handler finds its socket's pacing.
  socket.read = (size?: number) => {
    current = pacing;
    return read(size) as unknown;
  };
}
