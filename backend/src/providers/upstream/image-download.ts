import type { LookupFunction } from 'node:net';
import { lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { Agent, request } from 'undici';
import { ProviderError } from '../provider-error.js';
import { readAll } from './upstream-fetch.js';

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** Everything that is not on the public internet (RFC 6890 and its successors). */
const PRIVATE_V4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);
/** Of IPv6 only global unicast is public, less what tunnels to IPv4 or is set aside. */
const GLOBAL_V6 = blockList('ipv6', ['2000::/3']);
const SPECIAL_V6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an address literal lies on the public internet; mapped and tunnelled IPv4 does not count as such. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !PRIVATE_V4.check(address, 'ipv4');
  if (family === 6) return GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
  return false;
}

/**
 * Fetches a picture that an upstream answered as an address. The address is the upstream's word, so it may lead only to
 * the upstream's own origin or to the public internet; the check happens on the address that is connected to, where no
 * DNS trick comes after it. No key goes along and no redirect is followed.
 */
export async function downloadImage(address: string, ownOrigin: string, signal: AbortSignal): Promise<Buffer> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new ProviderError('provider_error');
  const own = url.origin === ownOrigin;
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (!own && isIP(literal) && !isPublicAddress(literal)) throw new ProviderError('provider_error');
  const agent = new Agent({ connect: own ? {} : { lookup: publicLookup } });
  try {
    const { statusCode, body } = await request(`${url.origin}${url.pathname}${url.search}`, {
      dispatcher: agent,
      headers: { accept: 'image/*', 'user-agent': 'tanya' },
      signal,
    });
    if (statusCode !== 200) throw new ProviderError('provider_error');
    return await readAll(body, MAX_IMAGE_BYTES);
  } finally {
    void agent.destroy();
  }
}

/** Resolves a name and hides every address that is not public from whoever wants to connect. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const open = addresses.filter(({ address }) => isPublicAddress(address));
    const first = open[0];
    if (!first) return callback(new Error('The address is not public'), []);
    if (options.all) return callback(null, open);
    return callback(null, first.address, first.family);
  });
};

function blockList(type: 'ipv4' | 'ipv6', networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), type);
  }
  return list;
}
