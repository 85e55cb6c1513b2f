import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from '../observability/logging.js';
import type { Metrics } from '../observability/metrics.js';

/** Routes that machines poll every few seconds; a successful request is logged at debug level. */
const QUIET = /^\/(api\/health\/|metrics)/;

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Logs and measures each API request when its response closes. The line carries the route pattern, never the path, so
 * that ids, queries and text made up by a client stay out of the log. Static files are measured but not logged.
 * @param clientFields further fields of the line, which identify the client
 */
export function logRequests(
  logger: Logger,
  metrics: Metrics,
  clientFields: (request: IncomingMessage) => object,
): RequestHandler {
  const durations = metrics.histogram({
    name: 'tanya_http_request_seconds',
    help: 'HTTP requests by method, route pattern and status, from their head to the end of their answer',
    labels: ['method', 'route', 'status'],
    buckets: BUCKETS,
  });
  return (request, response, next) => {
    const { method, path } = request;
    const startedAt = performance.now();
    response.once('close', () => {
      const isCall = /^\/(api|metrics)(\/|$)/i.test(path);
      const pattern: unknown = (request.route as { path?: unknown } | undefined)?.path;
      const route = typeof pattern === 'string' ? pattern : isCall ? 'unknown' : 'page';
      const ms = performance.now() - startedAt;
      const { statusCode: status } = response;
      durations.observe({ method, route, status }, ms / 1000);
      if (!isCall) return;
      const line = {
        requestId: request.id,
        method,
        route,
        status,
        ms: Math.round(ms),
        ...clientFields(request),
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      if (QUIET.test(route) && status < 400) logger.debug(line, 'request');
      else logger.info(line, 'request');
    });
    next();
  };
}
