import type { Quota } from '@tanya/contract';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { catchError, type Observable } from 'rxjs';
import type { RateStates } from '../api-keys/api-rates.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { type QuotaAccount, QuotaService } from '../quota/quota.service.js';

const LIMIT = 'x-ratelimit-limit-requests';

/** Headers with the state of the quota, under OpenAI's names. As an interceptor, it adds them to each `quota_exceeded`. */
@Injectable()
export class QuotaHeaders implements NestInterceptor {
  constructor(private readonly quotas: QuotaService) {}

  /** A client whose call was refused sees when its quota resets. */
  intercept(context: ExecutionContext, handler: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return handler.handle().pipe(
      catchError(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'quota_exceeded')
          await this.add(http.getRequest<Request>().identity!, http.getResponse());
        throw error;
      }),
    );
  }

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
