/** What may wait for one socket to be read, in characters. What is on its way to the machine's own buffers comes on top. */
export const MOST_WAITING = 1024 * 1024;

interface Engine {
  on(event: 'connection', listener: (socket: WrittenSocket) => void): unknown;
}

interface WrittenSocket {
  on(event: 'packetCreate', listener: (packet: { data?: string | Buffer }) => void): unknown;
  on(event: 'flush', listener: () => void): unknown;
  close(discard: boolean): unknown;
}

/**
 * Closes a socket whose reader has fallen so far behind that what waits for it would fill our memory. A page comes back
 * and asks for what it missed; whoever never reads gets no more. One large packet alone is let through, however slow its reader.
 */
export function dropSlowReaders(engine: Engine): void {
  engine.on('connection', (socket) => {
    let waiting = 0;
    socket.on('packetCreate', ({ data }) => {
      if (waiting > MOST_WAITING) socket.close(true);
      else waiting += data?.length ?? 0;
    });
    // All that waits is handed on together, and again only once that has gone out.
    socket.on('flush', () => (waiting = 0));
  });
}
