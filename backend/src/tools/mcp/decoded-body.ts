import { pipeline, type Readable } from 'node:stream';
import { contentDecoder } from '../../platform/net/content-decoder.js';

/**
 * The decoded bytes of a body while they arrive. An error of either stream, or the end of reading, closes both.
 * @param count called with the size of each compressed chunk; its error ends the body
 */
export function decoded(body: Readable, encoding: string, count: (bytes: number) => void): Readable {
  const decoder = contentDecoder(encoding);
  if (decoder === null) return body;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      count(chunk.length);
      yield chunk;
    }
  };
  return pipeline(body, counted, decoder, () => undefined);
}
