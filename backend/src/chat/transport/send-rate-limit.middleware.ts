import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SendRateLimiter } from '../generation/send-rate-limiter.js';

/** Turns away who sends too fast, before 24 MB of theirs are read. */
@Injectable()
export class SendRateLimitMiddleware implements NestMiddleware {
  constructor(private readonly sendLimiter: SendRateLimiter) {}

  use(request: Request, _response: Response, next: NextFunction): void {
    this.sendLimiter.check(request.identity!).then(
      () => next(),
      (error: unknown) => next(error),
    );
  }
}
