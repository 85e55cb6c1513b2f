import type { IncomingMessage } from 'node:http';
import { PREVIEW_PATH } from '@tanya/contract';
import type { HelmetOptions } from 'helmet';

/** Hosts that a policy can name, which are all but IPv6 addresses. */
const HOST = /^[\w.-]+(:\d+)?$/;

/**
 * The document of previews as a source: a path needs its host. The framed document cannot leave this path either. Where the
 * host has no name, the whole origin stands for it, whose other pages refuse to be framed.
 */
function previewSource({ headers: { host = '' } }: IncomingMessage, publicUrl: URL | null): string {
  if (publicUrl !== null) return publicUrl.origin + PREVIEW_PATH;
  return HOST.test(host) ? host + PREVIEW_PATH : "'self'";
}

/**
 * Security headers of every response. The page loads resources from its own origin only, and frames one document. Inline styles are allowed
 * because Chakra writes them at run time, data URLs for fonts inside style sheets, data and blob URLs for images.
 */
export function contentSecurityPolicy(publicUrl: URL | null): HelmetOptions {
  const https = publicUrl?.protocol === 'https:';
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        frameSrc: [(request) => previewSource(request, publicUrl)],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // On plain HTTP this would block every resource of the page.
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  };
}
