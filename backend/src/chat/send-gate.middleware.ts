import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { GenerationService } from './generation.service.js';

/** Turns away who sends too fast, before 24 MB of theirs are read. */
@Injectable()
export class SendGateMiddleware implements NestMiddleware {
  constructor(private readonly generations: GenerationService) {}

  use(request: Request, _response: Response, next: NextFunction): void {
    this.generations.checkPace(request.identity!).then(
      () => next(),
      (error: unknown) => next(error),
    );
  }
}
