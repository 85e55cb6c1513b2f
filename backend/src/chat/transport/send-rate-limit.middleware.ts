import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SendRateLimiter } from '../generation/admission/send-rate-limiter.js';

/** Checks the send rate limit before the body of up to 24 MB is read. */
@Injectable()
export class SendRateLimitMiddleware implements NestMiddleware {
  constructor(private readonly rateLimiter: SendRateLimiter) {}

  use(request: Request, _response: Response, next: NextFunction): void {
    this.rateLimiter.check(request.identity!).then(
      () => next(),
      (error: unknown) => next(error),
    );
  }
}
