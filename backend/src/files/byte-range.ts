import type { Request } from 'express';
import type { ByteRange } from './file-store.js';

/**
 * The part of a file that a request asks for; null for all of it. Several parts at once are answered with all of it, as
 * is a request that goes on with another file than this (If-Range).
 */
export function requestedRange(request: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | null {
  const known = request.headers['if-range'];
  if (known !== undefined && known !== etag) return null;
  const ranges = request.range(size);
  // The parser takes the last 500 bytes of a file of 200 for none, where all 200 are meant.
  if (ranges === -1) return /^bytes=-0*[1-9]\d*$/.test(request.headers.range ?? '') ? null : 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  const { start, end } = ranges[0]!;
  return { start, end };
}
