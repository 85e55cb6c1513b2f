/** Maximum number of characters queued for one socket, in addition to the kernel's buffers. */
export const MAX_QUEUED_CHARS = 1024 * 1024;

interface Engine {
  on(event: 'connection', listener: (socket: WrittenSocket) => void): unknown;
}

interface WrittenSocket {
  on(event: 'packetCreate', listener: (packet: { data?: string | Buffer }) => void): unknown;
  on(event: 'flush', listener: () => void): unknown;
  close(discard: boolean): unknown;
}

/**
 * Backpressure: disconnects a slow consumer before its queue fills the memory. A client reconnects and resumes. A single
 * larger packet is allowed.
 */
export function disconnectSlowConsumers(engine: Engine): void {
  engine.on('connection', (socket) => {
    let queued = 0;
    socket.on('packetCreate', ({ data }) => {
      if (queued > MAX_QUEUED_CHARS) socket.close(true);
      else queued += data?.length ?? 0;
    });
    // Engine.IO flushes the whole queue at once, and again only after that was written.
    socket.on('flush', () => (queued = 0));
  });
}
