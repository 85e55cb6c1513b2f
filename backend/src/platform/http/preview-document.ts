import { PREVIEW_PATH } from '@tanya/contract';
import type { RequestHandler } from 'express';

/**
 * The policy of the document in which the page shows HTML of an answer: scripts of its own, in an origin of its own, without
 * requests, forms and storage.
 */
const PREVIEW_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; form-action 'none'";

/**
 * Takes a port from the page that contains it, and once a text through it, which replaces the document but not its policy.
 * It reports the Escape key, which the page does not see while the frame has the focus.
 */
const DOCUMENT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Preview</title>
  </head>
  <body>
    <script>
      addEventListener('message', ({ source, ports: [port] }) => {
        if (source !== parent || !port) return;
        port.onmessage = ({ data }) => {
          port.onmessage = null;
          document.open();
          document.write(data);
          document.close();
          addEventListener('keyup', ({ key }) => key === 'Escape' && port.postMessage('close'), true);
        };
      });
    </script>
  </body>
</html>
`;

/** Serves the document of previews, the same for everyone. Only pages of this origin may contain it. */
export const servePreviewDocument: RequestHandler = (request, response, next) => {
  if (request.path !== PREVIEW_PATH || !['GET', 'HEAD'].includes(request.method)) {
    next();
    return;
  }
  response.setHeader('Content-Security-Policy', PREVIEW_POLICY);
  response.setHeader('X-Frame-Options', 'SAMEORIGIN');
  response.setHeader('Cache-Control', 'no-cache');
  response.type('html').send(DOCUMENT);
};
