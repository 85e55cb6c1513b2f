import { LIMITS } from '@tanya/contract';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SendRateLimiter } from '../generation/admission/send-rate-limiter.js';

/**
 * Checks the send rate limit before a body of up to 24 MB is read. A small one is checked at its admission, where a repeated
 * send gets the first answer in any case.
 */
@Injectable()
export class SendRateLimitMiddleware implements NestMiddleware {
  constructor(private readonly rateLimiter: SendRateLimiter) {}

  use(request: Request, _response: Response, next: NextFunction): void {
    if (Number(request.headers['content-length'] ?? Infinity) <= LIMITS.jsonBytes) return next();
    this.rateLimiter.check(request.identity!).then(
      () => next(),
      (error: unknown) => next(error),
    );
  }
}
