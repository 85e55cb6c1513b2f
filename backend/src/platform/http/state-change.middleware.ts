import type { RequestHandler } from 'express';
import { AppError } from '../errors/app-error.js';
import { isOwnOrigin } from '../net/origin.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Cross-site request forgery guard: refuses state changes from a foreign origin. Together with `requireBodyType` it also
 * refuses plain HTML forms.
 */
export function guardStateChanges(publicUrl: URL | null): RequestHandler {
  return (request, _response, next) => {
    if (READS.has(request.method) || isOwnOrigin(request, publicUrl)) next();
    else next(new AppError('foreign_origin'));
  };
}

/**
 * Refuses bodies whose content type is not JSON; uploads must be multipart.
 * @param eitherPath of calls that take an upload or JSON
 * @param formRoute of calls that take a plain form too
 */
export function requireBodyType(uploadPaths: readonly string[], eitherPath: RegExp, formRoute: RegExp): RequestHandler {
  return (request, _response, next) => {
    if (READS.has(request.method) || !hasBody(request.headers)) return next();
    if (formRoute.test(request.path) && request.is('application/x-www-form-urlencoded')) return next();
    const path = request.path.toLowerCase().replace(/\/$/, '');
    const isUpload = uploadPaths.includes(path);
    const types = isUpload ? ['multipart/form-data'] : ['application/json'];
    if (eitherPath.test(path)) types.push('multipart/form-data');
    if (request.is(types)) next();
    else next(new AppError('unsupported_type', { reason: isUpload ? 'not_multipart' : 'not_json' }));
  };
}
