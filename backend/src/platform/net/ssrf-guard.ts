import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isForbiddenAddress, isPublicAddress } from './address-ranges.js';

/** Thrown instead of connecting to an address that the guard refuses. The message names host and address: for admins. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';

  constructor(host: string, address: string) {
    const reason = isForbiddenAddress(address)
      ? 'Link-local and cloud metadata addresses are never contacted.'
      : 'Only the host and port of a configured base URL may have an address that is not public.';
    super(`${host === address ? '' : `${host} resolves to `}${address}. ${reason}`);
  }
}

export interface GuardOptions {
  /** Time limit of a connection (TCP and TLS), ms. */
  timeout: number;
  /**
   * The one origin, with scheme, host and port, whose address may be private or loopback, because an admin entered it.
   * Null allows public addresses only.
   */
  trustedOrigin: string | null;
  /** Resolves host names; the system's resolver by default. */
  lookup?: LookupFunction;
  /** Bytes that a socket buffers before it stops reading; the default of undici without it. */
  highWaterMark?: number;
}

type IsAllowed = (address: string) => boolean;

/**
 * Builds the `connect` option of an undici Agent that protects against server-side request forgery. It checks the
 * addresses that the socket connects to, not the name in the URL, so DNS rebinding changes nothing: public addresses
 * are allowed, others only for the trusted origin, link-local and cloud metadata addresses never. Addresses that are
 * refused are left out of a resolver's answer; a connection fails with RefusedAddressError if none remains.
 */
export function guardedConnector({
  timeout,
  trustedOrigin,
  lookup,
  highWaterMark,
}: GuardOptions): buildConnector.connector {
  const connectorFor = (isAllowed: IsAllowed): buildConnector.connector =>
    refuseLiterals(
      isAllowed,
      buildConnector({
        timeout,
        lookup: guardedLookup(isAllowed, lookup ?? systemLookup),
        ...(highWaterMark === undefined ? {} : { highWaterMark }),
      }),
    );
  const toPublic = connectorFor(isPublicAddress);
  const toTrusted = connectorFor((address) => isIP(address) !== 0 && !isForbiddenAddress(address));
  return (target, callback) => {
    const isTrusted = `${target.protocol}//${target.host}` === trustedOrigin;
    (isTrusted ? toTrusted : toPublic)(target, callback);
  };
}

/** Checks a host that is an address literal: a socket connects to it without a lookup. */
function refuseLiterals(isAllowed: IsAllowed, connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) => {
    const { hostname } = target;
    if (isIP(hostname) !== 0 && !isAllowed(hostname)) callback(new RefusedAddressError(hostname, hostname), null);
    else connect(target, callback);
  };
}

function guardedLookup(isAllowed: IsAllowed, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, []);
      const addresses = typeof answer === 'string' ? [{ address: answer, family: isIP(answer) }] : answer;
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const first = allowed[0];
      if (!first) return callback(new RefusedAddressError(hostname, addresses[0]?.address ?? 'none'), []);
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}
