import type { Transform } from 'node:stream';
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

const nameOf = (encoding: string): string => encoding.trim().toLowerCase();

/** Whether a body of this Content-Encoding can be read. @param encoding '' for a body without one */
export const canDecode = (encoding: string): boolean =>
  ['', 'identity'].includes(nameOf(encoding)) || DECODERS.has(nameOf(encoding));

/** The decoder of a Content-Encoding, which decodes a chunk as soon as it arrives; null for a body that is plain. */
export const contentDecoder = (encoding: string): Transform | null => DECODERS.get(nameOf(encoding))?.() ?? null;
