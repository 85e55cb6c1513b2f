import type { RequestHandler } from 'express';
import type { Identity } from '../../identity/identity.js';
import type { Logger } from '../observability/logging.js';
import type { Metrics } from '../observability/metrics.js';

/** Asked every few seconds by machines; a line for each would drown the others. */
const QUIET = /^\/(api\/health\/|metrics)/;

type AskerKind = 'guest' | 'member' | 'admin' | 'nobody';

function kindOf(identity: Identity | undefined): AskerKind {
  if (identity === undefined) return 'nobody';
  if (identity.userId === null) return 'guest';
  return identity.isAdmin ? 'admin' : 'member';
}

/**
 * One line for each call, when its answer is out or its caller gone: which route, never which path, so that neither ids
 * nor queries, and nothing that a caller made up, get into the log. Files of the page count, but write no line.
 */
export function logRequests(logger: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const { method, path } = request;
    const startedAt = performance.now();
    response.once('close', () => {
      const isCall = /^\/(api|metrics)(\/|$)/i.test(path);
      const pattern: unknown = (request.route as { path?: unknown } | undefined)?.path;
      const route = typeof pattern === 'string' ? pattern : isCall ? 'unknown' : 'page';
      const ms = performance.now() - startedAt;
      const { statusCode: status } = response;
      metrics.request({ method, route, status }, ms / 1000);
      if (!isCall) return;
      const line = {
        requestId: request.id,
        method,
        route,
        status,
        ms: Math.round(ms),
        asker: kindOf(request.identity),
        ...(request.identity?.userId == null ? {} : { userId: request.identity.userId }),
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      if (QUIET.test(route) && status < 400) logger.debug(line, 'request');
      else logger.info(line, 'request');
    });
    next();
  };
}
