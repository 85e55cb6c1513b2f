import { lookup } from 'node:dns/promises';
import { type CustomFetch, type ServerMetadata } from 'openid-client';
import { Agent, request } from 'undici';
import { isIssuer } from '../../config/issuer.js';
import { CLIENT_JSON, JsonScan } from '../../platform/json/json-scan.js';
import { isPublicAddress, parseAddress } from '../../platform/net/address-ranges.js';
import { guardedConnector, RefusedAddressError } from '../../platform/net/ssrf-guard.js';

/** Limit of one answer. The ID token of a person in 10,000 groups has about 600 kB. */
const MAX_BYTES = 1024 * 1024;

const TIMEOUT_MS = 10_000;

/** Names of servers in one description, each of which is looked up. Google's has four. */
const MAX_HOSTS = 20;

/**
 * The `fetch` for one provider. Connects to public addresses, and to others only at the origin of its issuer, which an admin
 * or the environment named; follows no redirect; bounds the size, the values and the time of answers.
 */
export function providerFetch(issuer: string): CustomFetch {
  const connect = guardedConnector({ timeout: TIMEOUT_MS, trustedOrigin: new URL(issuer).origin });
  const dispatcher = new Agent({
    connect,
    // Sign-ins are rare: no connection is kept.
    pipelining: 0,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_BYTES,
  });
  return async (url, { method, headers, body, signal }) => {
    const answer = await request(url, {
      dispatcher,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body instanceof URLSearchParams ? body.toString() : (body as string | undefined),
      ...(signal && { signal }),
    });
    const bytes = await answer.body.arrayBuffer();
    // The library parses and copies what it gets in one turn of the event loop. An ID token is one value.
    new JsonScan(CLIENT_JSON).writeBytes(Buffer.from(bytes));
    const type = answer.headers['content-type'];
    const isEmpty = answer.statusCode === 204 || answer.statusCode === 304;
    return new Response(isEmpty ? null : bytes, {
      status: answer.statusCode,
      headers: type === undefined ? {} : { 'content-type': String(type) },
    });
  };
}

/**
 * Checks all addresses of a discovery document, also those that only browsers open: https, or http at an issuer on this
 * machine; public, or at the origin of the issuer.
 * @throws RefusedAddressError; Error for too many servers
 */
export async function checkAddresses(issuer: string, metadata: ServerMetadata): Promise<void> {
  const trusted = new URL(issuer).origin;
  const addresses = Object.entries(metadata).filter(
    ([name, value]) => (name.endsWith('_endpoint') || name === 'jwks_uri') && typeof value === 'string',
  );
  const others = new Set<string>();
  for (const [, address] of addresses as [string, string][]) {
    if (!URL.canParse(address)) throw new RefusedAddressError(address, address);
    const { protocol, origin, hostname } = new URL(address);
    if (origin === trusted) continue;
    if (protocol !== 'https:' || !isIssuer(origin)) throw new RefusedAddressError(hostname, hostname);
    others.add(hostname);
  }
  if (others.size > MAX_HOSTS) throw new Error(`more than ${MAX_HOSTS} servers`);
  await Promise.all([...others].map(requirePublic));
}

async function requirePublic(hostname: string): Promise<void> {
  if (parseAddress(hostname) !== null) {
    if (!isPublicAddress(hostname.replace(/^\[|\]$/g, ''))) throw new RefusedAddressError(hostname, hostname);
    return;
  }
  // A name that only browsers can resolve leads this server nowhere.
  const found = await lookup(hostname, { all: true }).catch(() => []);
  const [first] = found;
  if (first !== undefined && !found.some(({ address }) => isPublicAddress(address)))
    throw new RefusedAddressError(hostname, first.address);
}
