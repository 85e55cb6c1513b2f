import type { IdentityProviderFault } from '@tanya/contract';
import { createRemoteJWKSet, customFetch as joseFetch, type JWTPayload, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretJwt,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type ServerMetadata,
} from 'openid-client';
import { AppError } from '../../platform/errors/app-error.js';
import { RefusedAddressError } from '../../platform/net/ssrf-guard.js';
import { checkAddresses, providerFetch } from './provider-fetch.js';

export interface ProviderAccess {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Seconds that the clock of a provider may be off. Clocks of machines without time servers are often a minute off. */
export const CLOCK_TOLERANCE = 120;

/** Time limit of one request, seconds. */
const TIMEOUT = 10;

/** Why a provider cannot be used. */
export class ProviderFailure extends Error {
  constructor(
    readonly fault: IdentityProviderFault,
    cause: unknown,
  ) {
    super(fault, { cause });
  }
}

/**
 * Reads the description of a provider. Nothing is cached, so that a sign-in meets its present addresses and keys.
 * @throws ProviderFailure
 */
export async function discover({ issuer, clientId, clientSecret }: ProviderAccess): Promise<Configuration> {
  const isPlain = new URL(issuer).protocol === 'http:';
  try {
    const config = await discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE },
      offeredAuth(clientSecret),
      {
        [customFetch]: providerFetch(issuer),
        timeout: TIMEOUT,
        execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      },
    );
    const metadata = config.serverMetadata();
    await checkAddresses(issuer, metadata);
    if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri)
      throw new ProviderFailure('invalid_document', null);
    methodOf(metadata, clientSecret);
    return config;
  } catch (error) {
    throw providerFailure(error);
  }
}

/** Authenticates the client as the provider offers it. */
const offeredAuth =
  (clientSecret: string): ClientAuth =>
  (server, ...request) =>
    methodOf(server, clientSecret)(server, ...request);

/** `client_secret_basic` is what a document without the list means. */
function methodOf({ token_endpoint_auth_methods_supported: offered }: ServerMetadata, secret: string): ClientAuth {
  const methods = offered ?? ['client_secret_basic'];
  if (methods.includes('client_secret_post')) return ClientSecretPost(secret);
  if (methods.includes('client_secret_basic')) return ClientSecretBasic(secret);
  if (methods.includes('client_secret_jwt')) return ClientSecretJwt(secret);
  throw new ProviderFailure('auth_method', null);
}

const CONNECTION_ERRORS = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'],
  ...['UND_ERR_SOCKET', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED'],
]);
const TIMEOUTS = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'OAUTH_TIMEOUT',
  'ETIMEDOUT',
]);

/** The errors of a library with all their causes. */
function chainOf(error: unknown): (Error & { code?: string })[] {
  const chain: (Error & { code?: string })[] = [];
  for (let each = error; each instanceof Error && chain.length < 10; each = each.cause) chain.push(each);
  return chain;
}

export function providerFailure(error: unknown): ProviderFailure {
  const chain = chainOf(error);
  const known = chain.find((each) => each instanceof ProviderFailure);
  if (known instanceof ProviderFailure) return known;
  const has = (codes: Set<string>) => chain.some(({ code }) => code !== undefined && codes.has(code));
  if (chain.some((each) => each instanceof RefusedAddressError)) return new ProviderFailure('address_forbidden', error);
  if (has(TIMEOUTS)) return new ProviderFailure('timeout', error);
  if (
    has(CONNECTION_ERRORS) ||
    chain.some(({ code }) => /^(ERR_TLS|CERT|DEPTH_|SELF_SIGNED|UNABLE_TO)/.test(code ?? ''))
  )
    return new ProviderFailure('unreachable', error);
  if (chain.some(({ message }) => message.includes('issuer does not match')))
    return new ProviderFailure('issuer_mismatch', error);
  return new ProviderFailure('invalid_document', error);
}

/** What a log line says of a failure. The causes of the library hold tokens and claims. */
export function failureFields(error: unknown): { reasons: string[] } {
  return { reasons: chainOf(error).map(({ code, message }) => [code, message].filter(Boolean).join(': ')) };
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** How old a logout token may be, seconds. A provider sends it at once. */
export const LOGOUT_AGE = 10 * 60;

export interface LogoutToken {
  jti: string;
  sub: string | null;
  sid: string | null;
}

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** The keys of a provider, for the logouts that it sends. They are read again when a token names an unknown key. */
export function keysOf(issuer: string, config: Configuration): KeySet {
  const send = providerFetch(issuer);
  return createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri!), {
    timeoutDuration: TIMEOUT * 1_000,
    cooldownDuration: 5_000,
    [joseFetch]: (url, { headers, method, signal }) =>
      send(url, {
        method,
        signal,
        redirect: 'manual',
        body: undefined,
        headers: Object.fromEntries(new Headers(headers)),
      }),
  });
}

/**
 * Verifies the token of a logout that a provider reports.
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation
 * @throws AppError `sign_in_failed`
 */
export async function verifyLogout(
  token: string,
  { clientId }: ProviderAccess,
  config: Configuration,
  keys: KeySet,
): Promise<LogoutToken> {
  const { issuer, id_token_signing_alg_values_supported: offered = ['RS256'] } = config.serverMetadata();
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: offered.filter((alg) => /^(RS|PS|ES)\d{3}$|^(EdDSA|Ed25519)$/.test(alg)),
      clockTolerance: CLOCK_TOLERANCE,
      maxTokenAge: LOGOUT_AGE,
      requiredClaims: ['jti', 'events'],
    }));
  } catch (error) {
    throw new AppError('sign_in_failed', { cause: error });
  }
  const { jti, sub, sid, events, nonce } = payload;
  const event: unknown = (events as Record<string, unknown> | null)?.[LOGOUT_EVENT];
  const isLogout = typeof event === 'object' && event !== null && nonce === undefined && typeof jti === 'string';
  const names = [sub, sid].filter((each) => each !== undefined);
  if (!isLogout || names.length === 0 || !names.every((each) => typeof each === 'string' && each !== ''))
    throw new AppError('sign_in_failed');
  return { jti, sub: sub ?? null, sid: (sid as string | undefined) ?? null };
}
