import { LIMITS } from '@tanya/contract';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SendRateLimiter } from '../generation/admission/send-rate-limiter.js';

/**
 * Checks the send rate limits before a body of up to 24 MB is read. A small one, if its length is not that of compressed bytes, is
 * checked before its files are stored and at its admission: a repeated send gets the first answer in any case.
 */
@Injectable()
export class SendRateLimitMiddleware implements NestMiddleware {
  constructor(private readonly rateLimiter: SendRateLimiter) {}

  use(request: Request, _response: Response, next: NextFunction): void {
    const { 'content-length': length = Infinity, 'content-encoding': encoding } = request.headers;
    if (encoding === undefined && Number(length) <= LIMITS.jsonBytes) return next();
    this.rateLimiter.checkAll(request.identity!).then(
      () => next(),
      (error: unknown) => next(error),
    );
  }
}
