import type { Quota } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { RateStates } from '../api-keys/api-rates.js';
import type { Identity } from '../identity/identity.js';
import { type QuotaAccount, QuotaService } from '../quota/quota.service.js';

const LIMIT = 'x-ratelimit-limit-requests';

/** Headers with the state of the quota, under OpenAI's names. */
@Injectable()
export class QuotaHeaders {
  constructor(private readonly quotas: QuotaService) {}

  /** @param account after the admission of the call; null for a call that was admitted before */
  async add(identity: Identity, response: Response, account: QuotaAccount | null = null): Promise<void> {
    setQuotaHeaders(response, await this.quotas.quotaAfter(account, identity));
  }
}

/** Tells the quota where the call has no rate for requests, whose headers stand already. */
export function setQuotaHeaders(response: Response, { max, remaining, resetsAt }: Quota): void {
  if (response.hasHeader(LIMIT)) return;
  response.setHeader(LIMIT, String(max));
  response.setHeader('x-ratelimit-remaining-requests', String(remaining));
  // Without a reset period there is no time of a reset.
  if (resetsAt === null) return;
  const seconds = Math.max(0, Math.ceil((Date.parse(resetsAt) - Date.now()) / 1000));
  response.setHeader('x-ratelimit-reset-requests', `${seconds}s`);
}

export function setRateHeaders(response: Response, states: RateStates): void {
  for (const unit of ['requests', 'tokens'] as const) {
    const state = states[unit];
    if (state === null) continue;
    response.setHeader(`x-ratelimit-limit-${unit}`, String(state.limit));
    response.setHeader(`x-ratelimit-remaining-${unit}`, String(state.remaining));
    response.setHeader(`x-ratelimit-reset-${unit}`, `${state.resetsIn}s`);
  }
}
