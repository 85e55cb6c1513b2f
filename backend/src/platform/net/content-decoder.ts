import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** A server may close a stream of events without the end of its compression, and send an empty body as compressed. */
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

const DECODERS = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(ZLIB)],
  ['x-gzip', () => createGunzip(ZLIB)],
  ['deflate', () => createInflate(ZLIB)],
  ['br', () => createBrotliDecompress(BROTLI)],
]);

/** Names that gateways give to a body that is not compressed; PHP sends `none` so that no proxy compresses it. */
const PLAIN: readonly string[] = ['', 'identity', 'none', 'utf-8', 'utf8'];

/** The compressions of a Content-Encoding, which may name several. */
const namesIn = (encoding: string): string[] =>
  encoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !PLAIN.includes(name));

/** Whether a body of this Content-Encoding can be read. @param encoding '' for a body without one */
export function canDecode(encoding: string): boolean {
  const [name, ...others] = namesIn(encoding);
  return name === undefined || (others.length === 0 && DECODERS.has(name));
}

const GZIP_START = 0x1f;
const ZSTANDARD_START = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Whether a body begins as Zstandard, which Node 20 cannot decode. No text does. */
export const isZstandard = (first: Uint8Array): boolean =>
  ZSTANDARD_START.equals(first.subarray(0, ZSTANDARD_START.length));

/** The lower half of the first byte of zlib's form of deflate. */
const ZLIB_METHOD = 8;

/**
 * The decoder of a Content-Encoding, which decodes a chunk as soon as it arrives; null for a body that is plain.
 * @param first the first bytes of a body that is a text: gateways leave the header on a body that they have decoded, or off a
 * body that is gzip, and some servers send deflate without the form of zlib
 */
export function contentDecoder(encoding: string, first?: Uint8Array): Transform | null {
  const [name] = namesIn(encoding);
  const byte = first?.[0];
  if (byte === GZIP_START && name === undefined) return createGunzip(ZLIB);
  if (byte !== undefined && byte !== GZIP_START && /gzip$/.test(name ?? '')) return null;
  if (byte !== undefined && name === 'deflate' && byte % 16 !== ZLIB_METHOD) return createInflateRaw(ZLIB);
  return DECODERS.get(name ?? '')?.() ?? null;
}
