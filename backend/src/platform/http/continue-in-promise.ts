import type { RequestHandler } from 'express';

/**
 * Runs the next handler in the callback of a promise. The value of a `PromiseContext` does not follow the events of a body
 * and the ticks of a session store.
 */
export function continueInPromise(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    void new Promise<unknown>((resolve) => handler(request, response, resolve)).then(next);
  };
}
