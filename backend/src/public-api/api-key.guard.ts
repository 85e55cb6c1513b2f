import type { IncomingHttpHeaders } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { KeyLookup } from '../api-keys/key-lookup.service.js';
import { AppError } from '../platform/errors/app-error.js';
import type { AddressReader } from '../platform/net/client-address.js';
import { ADDRESS_READER } from '../platform/platform.module.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { identityOf } from '../users/roles.service.js';

/** Requests with an invalid key from one address, per minute. */
const WRONG_KEYS: RateLimit = { name: 'wrong-keys', points: 60, window: 60 };

const INVALID_KEY = { reason: 'api_key' } as const;

/** Authenticates by `Authorization: Bearer {key}` or `x-api-key: {key}`; cookies are ignored. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(ADDRESS_READER) private readonly readAddress: AddressReader,
    private readonly keys: KeyLookup,
    private readonly access: AccountAccessService,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const address = this.readAddress(request);
    const key = keyOf(request.headers);
    const user = key === undefined ? null : await this.keys.find(key);
    if (user === null) {
      await this.limits.consume(WRONG_KEYS, { address });
      throw new AppError('unauthenticated', INVALID_KEY);
    }
    this.access.ensureUsable(user);
    const identity = { ...identityOf(user, address), request: { id: request.id } };
    request.identity = user.apiKey === null ? identity : { ...identity, apiKey: user.apiKey };
    return true;
  }
}

/** The bearer token, without one the key of `x-api-key`: a proxy may use another scheme of `Authorization`. */
function keyOf({ authorization = '', 'x-api-key': apiKey }: IncomingHttpHeaders): string | undefined {
  const isBearer = apiKey === undefined || /^Bearer( |$)/i.test(authorization);
  const bearer = isBearer ? authorization : `Bearer ${[apiKey].flat().join()}`;
  return /^Bearer ([\x21-\x7e]{1,200})$/i.exec(bearer)?.[1];
}
