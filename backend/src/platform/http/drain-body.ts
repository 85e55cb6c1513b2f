import type { IncomingMessage } from 'node:http';

/** Far more than any body that is taken: who sends a film by mistake shall hear that it is too large. */
const DISCARDED_BYTES = 100 * 1024 * 1024;

/**
 * Reads what nobody wants of a request, before its answer: a client that writes everything before it reads would find
 * the connection gone instead. Whose body goes on beyond that is answered in the middle of it and has as much again
 * to notice. The time is that of any request.
 */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > DISCARDED_BYTES) resolve();
      if (size > 2 * DISCARDED_BYTES) request.destroy();
    });
    request.once('end', () => resolve()).once('close', () => resolve());
    request.resume();
  });
}
