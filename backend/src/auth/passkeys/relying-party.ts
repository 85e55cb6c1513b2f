import type { IncomingMessage } from 'node:http';
import { AppError } from '../../platform/errors/app-error.js';
import { isLoopbackHost } from '../../platform/net/address-ranges.js';
import { publicOrigin } from '../../platform/net/origin.js';

/** The site as passkeys know it: they work under this host name alone. */
export interface RelyingParty {
  /** Host name. */
  id: string;
  origin: string;
}

/**
 * The host of PUBLIC_URL. Without it the Host header of the request, if that names this machine: a client chooses the
 * header, and a passkey for another name would be of no use later.
 * @throws AppError `not_found`
 */
export function relyingPartyOf(request: IncomingMessage, publicUrl: URL | null): RelyingParty {
  const { hostname, origin } = new URL(publicOrigin(request, publicUrl));
  if (publicUrl === null && !isLoopbackHost(hostname)) throw new AppError('not_found', { reason: 'passkeys' });
  return { id: hostname, origin };
}
