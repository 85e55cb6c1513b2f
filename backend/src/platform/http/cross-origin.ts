import type { RequestHandler } from 'express';

/** Headers of an answer that a page of another site may read. */
const EXPOSED = [
  'x-request-id',
  'request-id',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-tokens',
  'retry-after',
  'x-should-retry',
  'x-model-used',
].join(', ');

/** How long a browser keeps the answer to a preflight, in seconds: Chromium keeps none longer. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Opens routes to the pages of any site, and answers the preflights of browsers. It is for routes that take no cookie: a page
 * has to have the key.
 */
export const allowAnyOrigin: RequestHandler = (request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  const asked = request.headers['access-control-request-headers'];
  if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
  response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
  response.vary('Access-Control-Request-Headers');
  response.status(204).end();
};
