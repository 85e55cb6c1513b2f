import type { RequestHandler } from 'express';
import type { Tracing } from '../observability/tracing.js';

/** API calls except health checks, which machines repeat every few seconds. */
const TRACED = /^\/api\/(?!health(\/|$))/i;

/**
 * Covers each API call with a trace. A `traceparent` of the client is ignored: a client could otherwise choose which of
 * its requests are exported. The span carries the route pattern, never the path, and no header.
 */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (request, response, next) => {
    if (!TRACED.test(request.path)) return next();
    const { method } = request;
    const options = { kind: 'server', attributes: { 'http.request.method': method } } as const;
    void tracing.trace(method, options, async (span) => {
      const closed = new Promise((resolve) => response.once('close', resolve));
      next();
      await closed;
      const pattern: unknown = (request.route as { path?: unknown } | undefined)?.path;
      const route = typeof pattern === 'string' ? pattern : 'unknown';
      const { statusCode: status } = response;
      span.rename(`${method} ${route}`);
      span.set({ 'http.route': route, 'http.response.status_code': status, 'tanya.request.id': request.id });
      if (status >= 500) span.fail(String(status));
    });
  };
}
