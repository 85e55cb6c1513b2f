import type { RequestHandler } from 'express';
import { AppError } from './app-error.js';
import { isOwnOrigin } from './origin.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Keeps other sites from acting with a visitor's cookies: what changes state must not come from a foreign page, and its
 * body must be JSON, which no plain form can send. Uploads alone are multipart.
 */
export function guardStateChanges(publicUrl: URL | null, uploadPath: string): RequestHandler {
  return (request, _response, next) => {
    if (READS.has(request.method)) return next();
    if (!isOwnOrigin(request, publicUrl)) return next(new AppError('foreign_origin'));
    const type = request.path.toLowerCase() === uploadPath ? 'multipart/form-data' : 'application/json';
    if (hasBody(request.headers) && !request.is(type)) return next(new AppError('unsupported_type'));
    next();
  };
}
