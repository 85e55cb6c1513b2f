import { Injectable } from '@nestjs/common';
import { countsOf } from '../identity/caller-counts.js';
import type { Asker } from '../identity/identity.js';
import { type Count, type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';

/** Seconds. */
const HOUR = 60 * 60;

const perHour = (name: string, points: number): RateLimit => ({ name, points, window: HOUR });

const LIMITS = {
  calculate: { member: perHour('tool-calculate', 600), guest: perHour('tool-calculate-guest', 60) },
  web_search: { member: perHour('tool-search', 200), guest: perHour('tool-search-guest', 30) },
  read_page: { member: perHour('tool-page', 300), guest: perHour('tool-page-guest', 30) },
  tool_server: { member: perHour('tool-server', 600), guest: perHour('tool-server-guest', 60) },
};

const countsOfCall = (tool: keyof typeof LIMITS, asker: Asker): Count[] =>
  countsOf(asker, LIMITS[tool][asker.userId === null ? 'guest' : 'member']);

/** Rate limits of calls that cost money, traffic or computing time: per member, and per guest and address of guests. */
@Injectable()
export class ToolRateLimits {
  constructor(private readonly limits: RateLimits) {}

  /** Counts one call. @throws AppError `rate_limited` */
  async consume(tool: keyof typeof LIMITS, asker: Asker): Promise<void> {
    await this.limits.consumeAll(countsOfCall(tool, asker));
  }

  /** Takes back the count of a call that was not made. */
  async refund(tool: keyof typeof LIMITS, asker: Asker): Promise<void> {
    await this.limits.rewardAll(countsOfCall(tool, asker));
  }
}
