import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SendPace } from './send-pace.js';

/** Turns away who sends too fast, before 24 MB of theirs are read. */
@Injectable()
export class SendGateMiddleware implements NestMiddleware {
  constructor(private readonly pace: SendPace) {}

  use(request: Request, _response: Response, next: NextFunction): void {
    this.pace.check(request.identity!).then(
      () => next(),
      (error: unknown) => next(error),
    );
  }
}
