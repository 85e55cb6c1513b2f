import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import { AppError } from '../errors/app-error.js';

/** Slowest arrival of a large body. Only the time that the server waits for the client counts. */
export interface BodyPace {
  /** ms before the rate counts. */
  grace: number;
  /** Bytes in each ms after that. */
  rate: number;
  /** Longest time in all, ms. */
  most: number;
}

/** Each piece takes a turn of the thread pool. On a busy machine 24 MB took 2 s in pieces of 16 kB, Node's own size. */
const PIECE = { chunkSize: 256 * 1024 };

const DECOMPRESSORS: Record<string, () => Transform> = {
  gzip: () => createGunzip(PIECE),
  deflate: () => createInflate(PIECE),
  br: () => createBrotliDecompress(PIECE),
};

/** The body of a request without its compression. Pieces are decompressed as they are read, so a bomb stays small. */
function decompressed(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return request;
  const create = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
  if (create === undefined) throw new AppError('unsupported_type', { reason: 'encoding' });
  const decompressor = create();
  request.once('error', (error) => decompressor.destroy(error));
  return request.pipe(decompressor);
}

/** The pieces of a request's body. The request stays open when the reader stops: its answer is still to be sent. */
export class ArrivingBody {
  /** Time spent waiting for the client, ms. */
  private waited = 0;
  private received = 0;
  private pace: BodyPace | null = null;

  constructor(private readonly request: IncomingMessage) {}

  /** From now on a body that arrives more slowly ends with `request_timeout`. */
  requirePace(pace: BodyPace): void {
    this.pace = pace;
  }

  /** @throws AppError `unsupported_type`, `request_timeout`, `invalid` for a body that breaks off or is damaged */
  async *pieces(): AsyncGenerator<Buffer> {
    const source = decompressed(this.request);
    const pieces = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
    try {
      for (;;) {
        const { done, value } = await this.within(pieces.next());
        if (done) return;
        this.received += value.length;
        yield value;
        // One piece a turn: while pieces are taken, Node reads up to 2 MB from a socket in one turn.
        if (!this.request.complete) await setImmediate();
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('invalid', { reason: 'unreadable_body', cause: error });
    } finally {
      // It would keep the rest of a refused body from flowing, and the answer waits for the end of the body.
      // After a timeout it waits for the next piece, which may never come.
      await Promise.race([pieces.return?.().catch(() => undefined), setImmediate()]);
      if (source !== this.request) {
        this.request.unpipe();
        source.destroy();
      }
    }
  }

  private async within<T>(next: Promise<T>): Promise<T> {
    const { pace } = this;
    if (pace === null) return next;
    const from = performance.now();
    try {
      return await new Promise<T>((resolve, reject) => {
        const timer = setTimeout(() => reject(new AppError('request_timeout')), this.timeLeft(pace));
        const settle = () => clearTimeout(timer);
        next.then(resolve, reject).then(settle, settle);
      });
    } finally {
      this.waited += performance.now() - from;
    }
  }

  /** Time that the client has for its next piece, ms. */
  private timeLeft({ grace, rate, most }: BodyPace): number {
    return Math.max(0, Math.min(grace + this.received / rate, most) - this.waited);
  }
}
