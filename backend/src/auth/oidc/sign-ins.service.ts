import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  fetchUserInfo,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { ENV, type Env } from '../../config/env.js';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import { publicOrigin } from '../../platform/net/origin.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { type ActiveProvider, IdentityProviders } from './identity-providers.service.js';
import type { PersonClaims } from './new-account.js';
import { CLOCK_TOLERANCE, discover, failureFields, providerFailure } from './provider-client.js';
import { askedStrength } from './second-factor.js';
import { SealedCookies, SIGN_IN_SECONDS } from './sealed-cookies.js';
import { UsedTokens } from './used-tokens.js';

/** Why somebody goes to a provider. `reauth`: to prove who they are once more. */
export type Purpose = 'login' | 'reauth' | 'link';

interface Attempt {
  providerId: number;
  issuer: string;
  purpose: Purpose;
  /** The account that was signed in, for `reauth` and `link`. */
  userId: number | null;
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
  returnTo: string;
  /** ms since 1970. */
  startedAt: number;
}

/** A person who has signed in at a provider. */
export interface ProvenPerson {
  provider: ActiveProvider;
  token: IDToken;
  attempt: Pick<Attempt, 'purpose' | 'userId' | 'returnTo'>;
  /** When the provider saw the person, ms since 1970; null where it was not asked to. */
  authenticatedAt: number | null;
  /** What the provider tells beyond the ID token, where that has no name of the person. */
  moreClaims: () => Promise<PersonClaims>;
}

/** A subject has at most 255 characters by the standard. */
const MAX_SUBJECT = 255;

/** Sign-ins at providers, from the redirect to the verified ID token. */
@Injectable()
export class SignIns {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly providers: IdentityProviders,
    private readonly cookies: SealedCookies,
    private readonly used: UsedTokens,
  ) {}

  /**
   * Begins a sign-in, which this browser alone can finish, once and within ten minutes.
   * @returns the address of the provider
   * @throws AppError `not_found`, `invalid` for a `returnTo` of another site, `identity_provider_unreachable`
   */
  async begin(
    request: Request,
    response: Response,
    { id, purpose, returnTo }: { id: number; purpose: Purpose; returnTo: string },
  ): Promise<string> {
    const provider = this.providers.require(id);
    const origin = publicOrigin(request, this.env.publicUrl);
    const attempt: Attempt = {
      providerId: id,
      issuer: provider.issuer,
      purpose,
      userId: purpose === 'login' ? null : request.identity!.userId,
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      redirectUri: `${origin}/api/auth/oidc/${id}/callback`,
      returnTo: ownPath(returnTo, origin),
      startedAt: Date.now(),
    };
    const config = await this.configOf(provider);
    const address = buildAuthorizationUrl(config, {
      redirect_uri: attempt.redirectUri,
      scope: provider.scopes,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...(purpose === 'reauth' && { prompt: 'login', max_age: '0' }),
      ...askedStrength(provider, config.serverMetadata()),
    });
    this.cookies.write(request, response, nameOf(attempt.state), attempt);
    return address.href;
  }

  /**
   * Verifies the answer of a provider. Its tokens are not kept.
   * @throws AppError `sign_in_failed`, `identity_provider_unreachable`, `not_found`
   */
  async finish(request: Request, response: Response, id: number): Promise<ProvenPerson> {
    const provider = this.providers.require(id);
    const attempt = this.attemptOf(request, id);
    if (attempt === null || attempt.issuer !== provider.issuer) throw expired();
    this.cookies.clear(response, nameOf(attempt.state));
    if (!(await this.used.use(`state ${attempt.state}`, SIGN_IN_SECONDS))) throw expired();
    const config = await this.configOf(provider);
    const { accessToken, token } = await this.verified(provider, config, attempt, request);
    const moreClaims = () => this.userInfo(config, accessToken, token.sub);
    return { provider, token, attempt, authenticatedAt: authenticationOf(attempt, token), moreClaims };
  }

  /** The sign-in that a provider's answer belongs to; null where this browser has begun none such. */
  attemptOf(request: Request, id: number): Attempt | null {
    const state = request.query['state'];
    const attempt = typeof state === 'string' ? this.cookies.read<Attempt>(request, nameOf(state)) : null;
    return attempt?.state === state && attempt?.providerId === id ? attempt : null;
  }

  private async verified(
    provider: ActiveProvider,
    config: Configuration,
    attempt: Attempt,
    { originalUrl }: Request,
  ): Promise<{ accessToken: string; token: IDToken }> {
    const address = new URL(attempt.redirectUri);
    address.search = new URL(originalUrl, address).search;
    try {
      const tokens = await authorizationCodeGrant(config, address, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
        // Only so that the token must have the time, which `authenticationOf` checks.
        ...(attempt.purpose === 'reauth' && { maxAge: SIGN_IN_SECONDS }),
      });
      const token = tokens.claims()!;
      if (token.sub === '' || token.sub.length > MAX_SUBJECT || /\p{Cc}/u.test(token.sub + token.iss))
        throw new AppError('sign_in_failed');
      return { accessToken: tokens.access_token, token };
    } catch (error) {
      throw this.refusal(error, provider);
    }
  }

  private async userInfo(config: Configuration, accessToken: string, subject: string): Promise<PersonClaims> {
    if (config.serverMetadata().userinfo_endpoint === undefined) return {};
    // An account can be made without it.
    return fetchUserInfo(config, accessToken, subject).catch(() => ({}));
  }

  /** @throws AppError `identity_provider_unreachable` */
  private async configOf(provider: ActiveProvider): Promise<Configuration> {
    try {
      return await discover(provider);
    } catch (error) {
      throw this.unreachable(error, provider);
    }
  }

  private unreachable(error: unknown, { id }: ActiveProvider): AppError {
    this.logger.warn({ providerId: id, ...failureFields(error) }, 'identity provider cannot be used; sign-in refused');
    return new AppError('identity_provider_unreachable', { cause: providerFailure(error).fault });
  }

  private refusal(error: unknown, provider: ActiveProvider): AppError {
    if (error instanceof AppError) return error;
    if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
      return new AppError('sign_in_failed', { reason: 'cancelled' });
    const { fault } = providerFailure(error);
    if (fault === 'unreachable' || fault === 'timeout' || fault === 'address_forbidden')
      return this.unreachable(error, provider);
    this.logger.warn(
      { providerId: provider.id, ...failureFields(error) },
      'answer of an identity provider not valid; sign-in refused',
    );
    return new AppError('sign_in_failed');
  }
}

export const expired = (): AppError => new AppError('sign_in_failed', { reason: 'expired' });

/** Names the cookie of a sign-in, so that several tabs can sign in at once. */
const nameOf = (state: string): string => state.slice(0, 8).replace(/[^\w-]/g, '_');

/** Characters of a path: browsers keep no cookie of more than 4,096, in which it stands sealed. */
const MAX_PATH = 2_000;

/** The path of a page of this site. @throws AppError `invalid` for another address */
function ownPath(returnTo: string, origin: string): string {
  if (returnTo.length > MAX_PATH || !URL.canParse(returnTo, origin)) throw refuseField('returnTo', 'return_to');
  const url = new URL(returnTo, origin);
  // Two slashes would begin the name of another host.
  const path = `/${(url.pathname + url.search + url.hash).replace(/^[\\/]+/, '')}`;
  // Each character of other scripts becomes up to nine here.
  if (url.origin !== origin || path.length > MAX_PATH) throw refuseField('returnTo', 'return_to');
  return path;
}

/**
 * When the person signed in at the provider. A sign-in that asked for it may not be older than its start: the provider has to
 * ask for the password, whatever session it has.
 * @throws AppError `sign_in_failed`
 */
function authenticationOf({ purpose, startedAt }: Attempt, { auth_time }: IDToken): number | null {
  if (purpose !== 'reauth') return null;
  const at = auth_time! * 1000;
  if (at < startedAt - CLOCK_TOLERANCE * 1000) throw new AppError('sign_in_failed');
  return Math.min(at, Date.now());
}
