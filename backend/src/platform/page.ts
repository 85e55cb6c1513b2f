import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import sirv from 'sirv';

/** The built web client, seen from this file's place in `dist` and in `src` alike. */
const PAGE_FOLDER = fileURLToPath(new URL('../../../frontend/dist', import.meta.url));

/** Paths that are calls, whatever they answer; everything else is a file of the page or the page itself. */
const CALL = /^\/(api|socket\.io|metrics)(\/|$)/i;

/** Files whose names hold a hash of their content. */
const ASSETS = '/assets/';

const YEAR = 365 * 24 * 60 * 60;

/** Serves the page on every path that is no call and no file; files from memory of the file system, compressed ones as built. */
export function servePage(guestCookie: RequestHandler): RequestHandler {
  if (!existsSync(PAGE_FOLDER)) {
    return (request, response, next) => {
      if (CALL.test(request.path)) next();
      else response.status(503).type('text').send('The page has not been built yet: npm run build');
    };
  }
  const files = sirv(PAGE_FOLDER, {
    etag: true,
    gzip: true,
    brotli: true,
    setHeaders: (response: ServerResponse, pathname: string) => {
      const lasting = pathname.startsWith(ASSETS);
      response.setHeader('Cache-Control', lasting ? `public, max-age=${YEAR}, immutable` : 'no-cache');
    },
  });
  return (request, response, next) => {
    if (CALL.test(request.path)) {
      next();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.status(405).setHeader('Allow', 'GET, HEAD').end();
      return;
    }
    const page = () => {
      if (request.path.startsWith(ASSETS)) {
        response.status(404).type('text').send('Not found');
        return;
      }
      guestCookie(request, response, () => {
        request.url = '/';
        files(request as IncomingMessage, response, next);
      });
    };
    if (request.path === '/') page();
    else files(request, response, page);
  };
}
