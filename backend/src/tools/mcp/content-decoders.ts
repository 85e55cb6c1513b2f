import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A server may close a stream of events without the end of its compression, and send an empty body as compressed. */
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(ZLIB)],
  ['x-gzip', () => createGunzip(ZLIB)],
  ['deflate', () => createInflate(ZLIB)],
  ['br', () => createBrotliDecompress(BROTLI)],
]);

/** @param encoding in lower case; '' for a response without one */
export const canDecode = (encoding: string): boolean => ['', 'identity'].includes(encoding) || DECODERS.has(encoding);

/**
 * The decoded bytes of a body while they arrive. An error of either stream, or the end of reading, closes both.
 * @param count called with the size of each compressed chunk; its error ends the body
 */
export function decoded(body: Readable, encoding: string, count: (bytes: number) => void): Readable {
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) return body;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      count(chunk.length);
      yield chunk;
    }
  };
  return pipeline(body, counted, decoder(), () => undefined);
}
