import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';

/** Folder of the built web client, the same from `dist` and from `src`. */
const CLIENT_FOLDER = fileURLToPath(new URL('../../../../frontend/dist', import.meta.url));

/** Paths that never serve the web client. */
const CALL = /^\/(api|socket\.io|metrics)(\/|$)/i;

/** Files whose names contain a hash of their content. */
const ASSETS = '/assets/';

/** Addresses that programs look up (RFC 8615): with the page they would take it for what they look for. */
const WELL_KNOWN = '/.well-known/';

/** Where password managers send a person who changes the password. */
const CHANGE_PASSWORD = `${WELL_KNOWN}change-password`;
const SECURITY_PAGE = '/account/security';

/** Sent with the cookie of a guest. */
const PAGE = /[\\/]index\.html(\.br|\.gz)?$/;

const YEAR = 365 * 24 * 60 * 60;

/** Serves the web client: its files, precompressed, and `index.html` on every other path outside of the API. */
export function serveWebClient(guestCookie: RequestHandler, folder = CLIENT_FOLDER): RequestHandler {
  if (!existsSync(folder)) {
    return (request, response, next) => {
      if (CALL.test(request.path)) next();
      else response.status(503).type('text').send('The page has not been built yet: npm run build');
    };
  }
  const assets = join(folder, ASSETS);
  const files = expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: {
      index: false,
      redirect: false,
      setHeaders: (response: ServerResponse, path: string) => {
        const lasting = path.startsWith(assets);
        const brief = PAGE.test(path) ? 'private, no-cache' : 'no-cache';
        response.setHeader('Cache-Control', lasting ? `public, max-age=${YEAR}, immutable` : brief);
      },
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
    const page = (error?: unknown) => {
      // A missing compressed file leaves this header set.
      response.removeHeader('Content-Encoding');
      if (error !== undefined) next(error);
      else if (request.path === CHANGE_PASSWORD) response.redirect(302, SECURITY_PAGE);
      else if ([ASSETS, WELL_KNOWN].some((folder) => request.path.startsWith(folder)))
        response.status(404).type('text').send('Not found');
      else {
        guestCookie(request, response, () => {
          request.url = '/index.html';
          files(request, response, next);
        });
      }
    };
    if (request.path === '/' || !isReadable(request.path)) page();
    else files(request, response, page);
  };
}

/** Whether a path decodes as UTF-8; express.static fails on others. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
