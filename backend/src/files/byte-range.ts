import type { Request } from 'express';
import type { ByteRange } from './store/file-store.js';

/**
 * The byte range that a request asks for. Null for the whole file: without a Range header, with several ranges, and when
 * If-Range names another version.
 */
export function requestedRange(request: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | null {
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return null;
  const ranges = request.range(size);
  // A suffix longer than the file means the whole file (RFC 9110); the parser rejects it.
  if (ranges === -1) return /^bytes=-0*[1-9]\d*$/.test(request.headers.range ?? '') ? null : 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  const { start, end } = ranges[0]!;
  return { start, end };
}
