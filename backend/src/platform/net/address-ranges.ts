import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/**
 * Routing class of an IP address. `private` covers RFC 1918 and IPv6 unique local addresses, `reserved` everything that
 * is neither routed on the internet nor one of the other classes: carrier-grade NAT, multicast, documentation, tunnels.
 */
export type AddressRange = 'public' | 'loopback' | 'private' | 'link-local' | 'metadata' | 'reserved';

const CLASSES: Partial<Record<string, AddressRange>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  linkLocal: 'link-local',
};

/** The block that IANA assigns IPv6 internet addresses from; ipaddr.js calls unassigned blocks `unicast` too. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');
/** What only some networks translate to IPv4: the prefix for their own NAT64, and that of stateless translation. */
const LOCAL_TRANSLATION = ['64:ff9b:1::/48', '::ffff:0:0:0/96'].map((prefix) => ipaddr.IPv6.parseCIDR(prefix));

/** Metadata services of clouds that are not link-local, as 169.254.169.254 is. In the form that ipaddr.js prints. */
const METADATA = new Set([
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure
  '192.0.0.192', // Oracle Cloud
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS, credentials of EKS pods
  'fd20:ce::254', // Google Cloud
  'fd00:42::42', // Scaleway
]);

/**
 * Parses an address literal, with or without the brackets of a URL. An IPv4-mapped IPv6 address becomes the IPv4 address
 * that the kernel connects to. Null for names and for the short forms of IPv4 (`127.1`, `0x7f000001`), which only a URL
 * parser or a resolver expands.
 */
export function parseAddress(host: string): IPv4 | IPv6 | null {
  const literal = host.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? null : ipaddr.process(literal);
}

/** Class of an address literal; null for a name. */
export function rangeOf(host: string): AddressRange | null {
  const address = parseAddress(host);
  return address && classOf(address);
}

/** True for addresses of the public internet. False for names. */
export function isPublicAddress(host: string): boolean {
  return rangeOf(host) === 'public';
}

/** True for cloud metadata and link-local addresses: no outgoing call may go there, whatever an admin configures. */
export function isForbiddenAddress(host: string): boolean {
  return isForbidden(rangeOf(host));
}

const isForbidden = (range: AddressRange | null): boolean => range === 'link-local' || range === 'metadata';

/** True for this machine, by name or address. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || rangeOf(hostname) === 'loopback';
}

/** True for loopback names and for loopback, private and link-local addresses. */
export function isPrivateHost(hostname: string): boolean {
  const range = rangeOf(hostname);
  return isLoopbackHost(hostname) || range === 'private' || range === 'link-local';
}

function classOf(address: IPv4 | IPv6): AddressRange {
  if (METADATA.has(address.toString())) return 'metadata';
  if (address instanceof ipaddr.IPv4) return CLASSES[address.range()] ?? 'reserved';
  // A translator or relay connects to the embedded IPv4 address, so that address decides.
  if (address.match(NAT64)) return classOf(ipv4At(address, 12));
  if (address.match(SIX_TO_FOUR)) {
    const embedded = classOf(ipv4At(address, 2));
    return embedded === 'public' ? 'reserved' : embedded;
  }
  if (LOCAL_TRANSLATION.some((prefix) => address.match(prefix))) {
    const embedded = classOf(ipv4At(address, 12));
    return isForbidden(embedded) ? embedded : 'reserved';
  }
  const range = CLASSES[address.range()] ?? 'reserved';
  return range === 'public' && !address.match(GLOBAL_UNICAST) ? 'reserved' : range;
}

function ipv4At(address: IPv6, offset: number): IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4));
}
