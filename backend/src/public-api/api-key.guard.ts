import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiRates, RateExceeded } from '../api-keys/api-rates.js';
import { keyOf } from '../api-keys/key-text.js';
import { KeyLookup, WRONG_KEYS } from '../api-keys/key-lookup.service.js';
import type { KeyRate } from '../identity/identity.js';
import { setRateHeaders } from './quota-headers.js';
import { AppError } from '../platform/errors/app-error.js';
import type { AddressReader } from '../platform/net/client-address.js';
import { ADDRESS_READER } from '../platform/platform.module.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { identityOf } from '../users/roles.service.js';

const INVALID_KEY = { reason: 'api_key' } as const;

/** Authenticates by `Authorization: Bearer {key}`, `x-api-key: {key}` or `api-key: {key}`; cookies are ignored. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(ADDRESS_READER) private readonly readAddress: AddressReader,
    private readonly keys: KeyLookup,
    private readonly access: AccountAccessService,
    private readonly limits: RateLimits,
    private readonly rates: ApiRates,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const address = this.readAddress(request);
    const key = keyOf(request.headers);
    const user = key === undefined ? null : await this.keys.find(key);
    if (user === null) {
      await this.limits.consume(WRONG_KEYS, { address });
      throw new AppError('unauthenticated', INVALID_KEY);
    }
    this.access.ensureUsable(user);
    this.access.ensureApiAccess(user);
    const { apiKey } = user;
    request.identity = { ...identityOf(user, address), apiKey, request: { id: request.id } };
    if (request.method === 'POST' && apiKey.rate !== undefined) await this.count(apiKey.rate, response);
    return true;
  }

  /** Counts a call that asks a model. The headers tell the rate. @throws RateExceeded */
  private async count(rate: KeyRate, response: Response): Promise<void> {
    try {
      setRateHeaders(response, await this.rates.admit(rate));
    } catch (error) {
      if (error instanceof RateExceeded) setRateHeaders(response, error.states);
      throw error;
    }
  }
}
