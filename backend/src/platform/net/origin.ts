import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const PRIVATE = new BlockList();
PRIVATE.addSubnet('127.0.0.0', 8);
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('169.254.0.0', 16);
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** This machine, by name or address. */
export function isLoopbackHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Loopback, private and link-local: nothing that the internet routes. */
export function isPrivateHost(hostname: string): boolean {
  if (isLoopbackHost(hostname)) return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family !== 0 && PRIVATE.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Whether a browser sent this from our own page. A request without Origin comes from no browser's foreign page and is
 * allowed. The own origin is PUBLIC_URL, else the Host as long as it is a loopback or private address: a name that
 * somebody points at this machine (DNS rebinding) is not ours.
 */
export function isOwnOrigin(request: IncomingMessage, publicUrl: URL | null): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  if (publicUrl !== null) return origin === publicUrl.origin;
  const url = new URL(origin);
  return host !== undefined && url.host === host && isPrivateHost(url.hostname);
}
