import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import { parseAddress } from './address-ranges.js';

export type AddressReader = (request: IncomingMessage) => string;

/**
 * Returns a function that reads the client's address behind the proxies of TRUST_PROXY, in the form that rate limits
 * count. HTTP requests and socket handshakes share it.
 * @param trust number of proxy hops, list of proxy networks, or null to trust no proxy
 */
export function createAddressReader(trust: number | string[] | null): AddressReader {
  const trusted =
    trust === null
      ? () => false
      : typeof trust === 'number'
        ? (_address: string, hop: number) => hop < trust
        : proxyAddr.compile(trust);
  return (request) => limitAddress(proxyAddr(request, trusted));
}

/** The key that rate limits count: an IPv4 address, or the /64 network of an IPv6 address, which one client owns whole. */
export function limitAddress(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return 'unknown';
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
