import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddr from 'proxy-addr';

export type AddressReader = (request: IncomingMessage) => string;

/**
 * The client's address behind the proxies that TRUST_PROXY names, the same for HTTP and for the socket handshake.
 * @param trust number of hops, list of networks, or null for none
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

/** A v6 client owns a whole /64, so that is what limits count. */
export function limitAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'unknown';
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
