import type { RequestHandler } from 'express';
import { AppError } from '../errors/app-error.js';
import { isOwnOrigin } from '../net/origin.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Keeps other sites from acting with a visitor's cookies: what changes state must not come from a foreign page. Together
 * with `requireBodyType` no plain form can do it either.
 */
export function guardStateChanges(publicUrl: URL | null): RequestHandler {
  return (request, _response, next) => {
    if (READS.has(request.method) || isOwnOrigin(request, publicUrl)) next();
    else next(new AppError('foreign_origin'));
  };
}

/** A body must be JSON, and say so: what is sent as anything else is not read. Uploads alone are multipart. */
export function requireBodyType(uploadPath: string): RequestHandler {
  return (request, _response, next) => {
    if (READS.has(request.method) || !hasBody(request.headers)) return next();
    const type = request.path.toLowerCase() === uploadPath ? 'multipart/form-data' : 'application/json';
    if (request.is(type)) next();
    else next(new AppError('unsupported_type', { message: `Send the body with Content-Type: ${type}.` }));
  };
}
