import type { IncomingMessage } from 'node:http';
import { isPrivateHost } from './address-ranges.js';

/**
 * True if a request comes from a page of this server, or from a client other than a browser, which sends no Origin.
 * The server's own origin is PUBLIC_URL. Without PUBLIC_URL it is the Host header, if that is a loopback or private
 * address: a public name that resolves to this machine may belong to another site (DNS rebinding).
 */
export function isOwnOrigin(request: IncomingMessage, publicUrl: URL | null): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  if (publicUrl !== null) return origin === publicUrl.origin;
  const url = new URL(origin);
  return host !== undefined && url.host === host && isPrivateHost(url.hostname);
}

/**
 * Origin of the links in a response: that of PUBLIC_URL, else of the Host header. A client can choose the Host header, so
 * these links must reach no other client.
 */
export function publicOrigin({ headers: { host } }: IncomingMessage, publicUrl: URL | null): string {
  const own = `http://${host}`;
  return publicUrl?.origin ?? (host !== undefined && URL.canParse(own) ? new URL(own).origin : 'http://localhost');
}

/**
 * A link that reaches others than the client of a request, as in a mail: on PUBLIC_URL, else on this machine. The Host header
 * is chosen by a client and never part of it.
 */
export const linkTo = (path: string, { publicUrl, port }: { publicUrl: URL | null; port: number }): string =>
  new URL(path, publicUrl ?? `http://localhost:${port}`).href;
