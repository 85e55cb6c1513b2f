import type { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { contentDecoder, isZstandard } from '../../platform/net/content-decoder.js';
import { ProviderError } from '../provider-error.js';
import type { SocketPacing } from '../../platform/fast-paths/paced-sockets.js';

/** @param encoding as the server names it */
export const unknownEncoding = (encoding: string): ProviderError =>
  new ProviderError('provider_error', {
    fault: 'encoding',
    adminMessage: `The provider compressed its answer as '${encoding.slice(0, 40)}', which cannot be read.`,
  });

export interface BodyReader {
  /** Bytes in the order of their arrival. Called synchronously while undici parses. */
  onChunk(chunk: Buffer): void;
  /** Called once. @param error why the body broke off; null at its end */
  onEnd(error: Error | null): void;
}

/**
 * The body of an upstream response, pushed by undici without a stream or a promise per chunk. Chunks that arrive before a
 * reader is set are kept.
 */
export class UpstreamBody {
  private readonly early: Buffer[] = [];
  private reader: BodyReader | null = null;
  private ended: { error: Error | null } | null = null;
  /** Why the compressed body broke off; null at its end. */
  private sourceError: Error | null = null;
  /** Of a compressed body; undefined before its first bytes, which tell whether it is one. */
  private decoder: Transform | null | undefined;

  /**
   * @param pacing of the socket; null for an agent that does not pace
   * @param encoding Content-Encoding, one that can be decoded
   */
  constructor(
    private readonly controller: Dispatcher.DispatchController,
    readonly pacing: SocketPacing | null,
    private readonly encoding = '',
  ) {}

  /** Sets the one reader. */
  read(reader: BodyReader): void {
    this.reader = reader;
    for (const chunk of this.early.splice(0)) reader.onChunk(chunk);
    if (this.ended !== null) reader.onEnd(this.ended.error);
  }

  /** The first chunk, which stays to be read; an empty one for a body without bytes, or that broke off. */
  head(): Promise<Buffer> {
    return new Promise((resolve) => {
      const found = (): void => {
        this.reader = null;
        resolve(this.early[0] ?? Buffer.alloc(0));
      };
      if (this.early.length > 0 || this.ended !== null) return found();
      this.reader = {
        onChunk: (chunk) => {
          this.early.push(chunk);
          found();
        },
        onEnd: found,
      };
    });
  }

  /** Reads a body of at most `limit` bytes to its end. @throws ProviderError when it is larger */
  all(limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      this.read({
        onChunk: (chunk) => {
          size += chunk.length;
          if (size <= limit) chunks.push(chunk);
          else {
            reject(new ProviderError('provider_error', { fault: 'too_large' }));
            this.abort();
          }
        },
        onEnd: (error) => (error === null ? resolve(Buffer.concat(chunks)) : reject(error)),
      });
    });
  }

  /** Takes the next bytes as they arrive. */
  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (this.decoder === undefined) {
      this.decoder = this.decoderFor(chunk);
      if (isZstandard(chunk)) return this.fail(unknownEncoding('zstd'));
    }
    if (this.decoder === null) this.deliver(chunk);
    else if (!this.decoder.write(chunk)) this.controller.pause();
  }

  /** Takes the end of the bytes. What a decoder still has is delivered before it. */
  end(error: Error | null): void {
    if (this.decoder == null || this.decoder.destroyed) return this.finish(error);
    this.sourceError = error;
    this.decoder.end();
  }

  /** Holds back further bytes, but for one read that is already under way. */
  pause(): void {
    (this.decoder ?? this.controller).pause();
  }

  resume(): void {
    (this.decoder ?? this.controller).resume();
  }

  /** Closes the connection. */
  abort(): void {
    if (this.ended !== null) return;
    this.decoder?.destroy();
    this.controller.abort(new Error('The body was closed'));
  }

  /** Discards the rest of a complete answer, so that the connection can be reused; closes it after the timeout. */
  drain(timeoutMs: number): void {
    this.pacing?.stop();
    if (this.ended !== null) return;
    const deadline = setTimeout(() => this.abort(), timeoutMs);
    this.reader = { onChunk: () => undefined, onEnd: () => clearTimeout(deadline) };
  }

  private decoderFor(first: Buffer): Transform | null {
    const decoder = contentDecoder(this.encoding, first);
    decoder?.on('data', (chunk: Buffer) => this.deliver(chunk));
    decoder?.on('drain', () => this.controller.resume());
    decoder?.once('end', () => this.finish(this.sourceError));
    decoder?.once('error', (error) => this.fail(error));
    return decoder;
  }

  private fail(error: Error): void {
    this.finish(error);
    this.controller.abort(error);
  }

  private deliver(chunk: Buffer): void {
    if (this.ended !== null) return;
    if (this.reader === null) this.early.push(chunk);
    else this.reader.onChunk(chunk);
  }

  private finish(error: Error | null): void {
    if (this.ended !== null) return;
    this.ended = { error };
    this.pacing?.stop();
    this.reader?.onEnd(error);
  }
}
