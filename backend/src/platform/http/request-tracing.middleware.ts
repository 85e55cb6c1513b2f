import type { RequestHandler, Response } from 'express';
import { NO_SPAN, type Tracing } from '../observability/tracing.js';

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
    const options = { kind: 'server', attributes: { 'http.request.method': method }, isPassive: true } as const;
    void tracing.trace(method, options, async (span) => {
      if (span === NO_SPAN) return next();
      const closed = new Promise<void>((resolve) => response.once('close', resolve));
      await span.enter(() => {
        next();
        return Promise.race([headWritten(response), closed]);
      });
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

/** Resolves when the head is written, after which a stream of events may go on for minutes. */
function headWritten(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
    response.writeHead = (...head: unknown[]) => {
      resolve();
      return writeHead(...head);
    };
  });
}
