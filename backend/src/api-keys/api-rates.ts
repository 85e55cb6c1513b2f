import { Injectable } from '@nestjs/common';
import { type KeyRate, userOwner } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { type RateLimit, RateLimits, type WindowState } from '../platform/rate-limits/rate-limits.js';
import { SettingsService } from '../settings/settings.service.js';

const WINDOW_S = 60;
const UNLIMITED = -1;

/** The rates of a call; null where none is set. */
export interface RateStates {
  requests: WindowState | null;
  tokens: WindowState | null;
}

/** The refusal of a call beyond a rate, for its headers. */
export class RateExceeded extends AppError {
  constructor(
    readonly states: RateStates,
    retryAfter: number,
  ) {
    super('rate_limited', { retryAfter: Math.max(1, retryAfter) });
  }
}

const requestsOf = (points: number): RateLimit => ({ name: 'api-requests', points, window: WINDOW_S });
const tokensOf = (points: number): RateLimit => ({ name: 'api-tokens', points, window: WINDOW_S });

/**
 * Calls and tokens a minute of programs, counted over all nodes; while Redis is away each process counts alone, like every
 * limit. A plan's rate counts all keys of an account together, one that an admin set for a key that key alone. The tokens of
 * an answer count when it ends: calls are refused once those of the minute are used up.
 */
@Injectable()
export class ApiRates {
  constructor(
    private readonly settings: SettingsService,
    private readonly limits: RateLimits,
  ) {}

  /** @returns undefined without a rate */
  rateOf(
    { id, isPremium }: { id: number; isPremium: boolean },
    keyId: number,
    ofKey: { requestsPerMinute: number | null; tokensPerMinute: number | null },
  ): KeyRate | undefined {
    const { apiRequestsPerMinute, apiTokensPerMinute } = this.settings.get();
    const plan = isPremium ? 'premium' : 'free';
    const [owner, key] = [userOwner(id), `key:${keyId}`];
    const requests = limited(ofKey.requestsPerMinute ?? apiRequestsPerMinute[plan]);
    const tokens = limited(ofKey.tokensPerMinute ?? apiTokensPerMinute[plan]);
    if (requests === null && tokens === null) return undefined;
    const counted = {
      requests: ofKey.requestsPerMinute === null ? owner : key,
      tokens: ofKey.tokensPerMinute === null ? owner : key,
    };
    return { counted, requests, tokens };
  }

  /** Counts a call. @throws RateExceeded, and then the call does not count */
  async admit({ counted, requests, tokens }: KeyRate): Promise<RateStates> {
    const ofTokens = tokens === null ? null : await this.limits.state(tokensOf(tokens), counted.tokens);
    if (ofTokens?.remaining === 0) {
      const ofRequests = requests === null ? null : await this.limits.state(requestsOf(requests), counted.requests);
      throw new RateExceeded({ requests: ofRequests, tokens: ofTokens }, ofTokens.resetsIn);
    }
    if (requests === null) return { requests: null, tokens: ofTokens };
    const { isRefused, ...ofRequests } = await this.limits.consumeAndTell(requestsOf(requests), counted.requests);
    const states = { requests: ofRequests, tokens: ofTokens };
    if (isRefused) throw new RateExceeded(states, ofRequests.resetsIn);
    return states;
  }

  /** Charges the tokens of an answer that has ended. */
  async charge(rate: KeyRate | undefined, tokens: number): Promise<void> {
    if (rate?.tokens == null || tokens === 0) return;
    await this.limits.count(tokensOf(rate.tokens), rate.counted.tokens, tokens);
  }
}

const limited = (perMinute: number): number | null => (perMinute === UNLIMITED ? null : perMinute);
