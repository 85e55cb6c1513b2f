import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { IMAGE_TYPES } from '@tanya/contract';
import type { Request, Response } from 'express';
import { AppError } from '../platform/errors/app-error.js';
import type { FileEntity } from './file.entity.js';
import { contentDisposition } from './file-name.js';
import type { ByteRange } from './store/file-store.js';

/**
 * The byte range that a request asks for. Null for the whole file: without a Range header, with several ranges, and when
 * If-Range names another version.
 */
function requestedRange(request: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | null {
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return null;
  const ranges = request.range(size);
  // A suffix longer than the file means the whole file (RFC 9110); the parser rejects it.
  if (ranges === -1) return /^bytes=-0*[1-9]\d*$/.test(request.headers.range ?? '') ? null : 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  const { start, end } = ranges[0]!;
  return { start, end };
}

/**
 * Sends a file, whole or one byte range. Only raster images are shown inline; other files are downloads. The headers
 * prevent scripts, sniffing and caching.
 * @param read opens the contents or a range of them
 * @throws AppError `range_unsatisfiable`, or `not_found` when the contents were deleted
 */
export async function sendFile(
  request: Request,
  response: Response,
  file: Pick<FileEntity, 'id' | 'size' | 'type' | 'name'>,
  read: (range?: ByteRange) => Promise<Readable>,
): Promise<void> {
  // The contents of a file never change.
  const etag = `"${file.id}"`;
  const range = requestedRange(request, file.size, etag);
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${file.size}`);
    throw new AppError('range_unsatisfiable');
  }
  const bytes = await read(range ?? undefined);
  const type = IMAGE_TYPES.includes(file.type) ? 'inline' : 'attachment';
  // `writeHead` instead of Express, which would add a charset to the type.
  response.writeHead(range === null ? 200 : 206, {
    'Content-Type': file.type,
    'Content-Length': String(range === null ? file.size : range.end - range.start + 1),
    ...(range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` }),
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Content-Disposition': contentDisposition(type, file.name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  });
  // The client closed the connection, or the store failed after the head was sent.
  await pipeline(bytes, response).catch(() => response.destroy());
}
