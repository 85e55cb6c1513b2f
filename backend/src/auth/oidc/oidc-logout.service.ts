import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { buildEndSessionUrl } from 'openid-client';
import { ENV, type Env } from '../../config/env.js';
import { AppError } from '../../platform/errors/app-error.js';
import { publicOrigin } from '../../platform/net/origin.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { boundedQueue } from '../../platform/resilience/bounded-queue.js';
import { withTimeout } from '../../platform/resilience/with-timeout.js';
import type { OidcSession } from '../../platform/session/session.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { SessionsService } from '../sessions.service.js';
import { type ActiveProvider, IdentityProviders } from './identity-providers.service.js';
import { IdentitySessions } from './identity-sessions.js';
import {
  CLOCK_TOLERANCE,
  discover,
  failureFields,
  keysOf,
  LOGOUT_AGE,
  type LogoutToken,
  verifyLogout,
} from './provider-client.js';
import { UsedTokens } from './used-tokens.js';

/** How long a logout here waits for the description of the provider, ms. */
const PATIENCE_MS = 3_000;

/** Invalid tokens from an address: each costs two requests to the provider. Seconds. */
const INVALID: RateLimit = { name: 'backchannel-invalid', points: 30, window: 60 };

/**
 * Tokens that are verified at once: by as many can parallel ones exceed the limit. A provider that ends the sessions of a
 * whole company sends them together, and they wait.
 */
const QUEUE = { concurrency: 8, waiting: 1_000 };

/** Logouts between here and the providers. */
@Injectable()
export class OidcLogouts {
  private readonly queue = boundedQueue(QUEUE);

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly providers: IdentityProviders,
    private readonly identitySessions: IdentitySessions,
    private readonly sessions: SessionsService,
    private readonly used: UsedTokens,
    private readonly limits: RateLimits,
  ) {}

  /** The address that ends the session at the provider; null where it ends none or cannot be reached. */
  async addressFor(request: Request, { providerId }: OidcSession): Promise<string | null> {
    const provider = this.providers.active().find(({ id }) => id === providerId);
    if (provider === undefined) return null;
    try {
      const config = await withTimeout(PATIENCE_MS, discover(provider));
      if (config?.serverMetadata().end_session_endpoint === undefined) return null;
      const origin = publicOrigin(request, this.env.publicUrl);
      return buildEndSessionUrl(config, { post_logout_redirect_uri: `${origin}/` }).href;
    } catch (error) {
      this.logger.warn({ providerId, ...failureFields(error) }, 'identity provider cannot be asked; its session stays');
      return null;
    }
  }

  /**
   * Ends sessions that a provider reports as ended: with a `sid` that one, else all of the person.
   * @throws AppError `sign_in_failed`, also for a token that came before; `identity_provider_unreachable`, `rate_limited`,
   *   `server_busy`
   */
  async endReported(id: number, token: string, address: string): Promise<void> {
    const provider = this.providers.require(id);
    // Also before the queue, so that an address without attempts left takes no place in it.
    await this.limits.check(INVALID, { address });
    const { issuer, logout } = await this.queue(async () => {
      await this.limits.check(INVALID, { address });
      return this.verified(provider, token).catch(async (error: unknown) => {
        await this.limits.count(INVALID, { address });
        throw error;
      });
    });
    const once = `logout ${issuer} ${logout.jti}`;
    if (!(await this.used.use(once, LOGOUT_AGE + 2 * CLOCK_TOLERANCE))) throw new AppError('sign_in_failed');
    try {
      const ended = await this.identitySessions.end(issuer, logout.sub, logout.sid);
      for (const { userId, identityId } of ended)
        await this.sessions.endProvided(userId, { identityId, sid: logout.sid });
    } catch (error) {
      // The provider reports it again.
      await this.used.release(once);
      throw error;
    }
  }

  private async verified(provider: ActiveProvider, token: string): Promise<{ issuer: string; logout: LogoutToken }> {
    const config = await discover(provider).catch((error: unknown) => {
      throw new AppError('identity_provider_unreachable', { cause: error });
    });
    const logout = await verifyLogout(token, provider, config, keysOf(provider.issuer, config));
    return { issuer: config.serverMetadata().issuer, logout };
  }
}
