import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import { parseAddress } from './address-ranges.js';

export type AddressReader = (request: IncomingMessage) => string;

const UNKNOWN = 'unknown';

/** `[IPv6]`, `[IPv6]:port` or `IPv4:port`, as some proxies write the addresses of clients. */
const WITH_PORT = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/;

/**
 * Returns a function that reads the client's address behind the proxies of TRUST_PROXY, in the form that rate limits
 * count. HTTP requests and socket handshakes share it.
 * @param trust number of proxy hops, list of proxy networks, or null to trust no proxy
 * @param onUnreadable called once, when a trusted proxy has forwarded something that is not an address
 */
export function createAddressReader(
  trust: number | string[] | null,
  onUnreadable: () => void = () => undefined,
): AddressReader {
  if (trust === null) return ({ socket }) => limitAddress(socket.remoteAddress);
  const trusted = typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : proxyAddr.compile(trust);
  let isReported = false;
  return ({ headers, socket }) => {
    const forwarded = { 'x-forwarded-for': withoutPorts(headers['x-forwarded-for']) };
    const key = limitAddress(proxyAddr({ headers: forwarded, socket } as unknown as IncomingMessage, trusted));
    // A socket that was reset has no address either.
    if (key === UNKNOWN && socket.remoteAddress !== undefined && !isReported) {
      isReported = true;
      onUnreadable();
    }
    return key;
  };
}

function withoutPorts(forwarded: string | string[] = ''): string {
  const entries = String(forwarded).split(',');
  return entries.map((entry) => entry.trim().replace(WITH_PORT, '$1$2')).join();
}

/**
 * The key that rate limits count: an IPv4 address, or the /64 network of an IPv6 address, which one client owns whole.
 * @param address undefined for a socket that was reset
 */
export function limitAddress(address: string | undefined): string {
  const parsed = address === undefined ? null : parseAddress(address);
  if (parsed === null) return UNKNOWN;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * The /48 network around an address of `limitAddress`; null for an IPv4 or unknown address. A client gets a /48 for
 * nothing. It has 65,536 networks of /64, so limits that count a /64 alone do not bound its owner.
 */
export function siteOf(address: string): string | null {
  const [, site] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(address) ?? [];
  return site === undefined ? null : `${site}::/48`;
}
