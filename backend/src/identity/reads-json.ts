import { type CanActivate, type ExecutionContext, Inject, Injectable, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { TIMINGS, type Timings } from '../config/timings.js';
import { type BodyTurn, LargeBodies } from '../platform/bodies/large-bodies.js';
import { type BodyBounds, readJsonBody } from '../platform/bodies/json-body.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { countsOf } from './caller-counts.js';
import type { Identity } from './identity.js';

/** Bodies above 1 MB of an owner, and of the guests of one address, whether they are answered or refused. */
const LARGE: RateLimit = { name: 'large-bodies', points: 120, window: 60 };
const LARGE_OF_GUESTS: RateLimit = { name: 'large-bodies-guest', points: 30, window: 60 };

/** Slowest arrival of a large body: 256 kB a second. */
const BYTES_PER_MS = 256;

/**
 * Reads the body of a route that takes more than 1 MB, after the guards have identified the caller and before the body is
 * validated. A large body counts against a limit and waits for its turn. It is the last guard of the route: Nest would wrap each
 * call in observables for an interceptor.
 * @param prepare changes the body before it is validated
 */
export function ReadsJson(bounds: BodyBounds, prepare?: (body: object) => Promise<void>): MethodDecorator {
  @Injectable()
  class JsonReader implements CanActivate {
    constructor(
      private readonly largeBodies: LargeBodies,
      private readonly limits: RateLimits,
      @Inject(TIMINGS) private readonly timings: Timings,
    ) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<Request>();
      const response = context.switchToHttp().getResponse<Response>();
      const { bodyGrace, bodyMost } = this.timings;
      const body = await readJsonBody(request, bounds, {
        pace: { grace: bodyGrace, rate: BYTES_PER_MS, most: bodyMost },
        enter: () => this.enter(request, response),
      });
      if (body !== undefined) await prepare?.(body);
      request.body = body;
      return true;
    }

    private async enter(request: Request, response: Response): Promise<BodyTurn> {
      const identity = request.identity as Identity;
      const { owner, userId, address } = identity;
      const isGuest = userId === null;
      await this.limits.consumeAll(countsOf(identity, LARGE, LARGE_OF_GUESTS));
      const isPlain = request.headers['content-encoding'] === undefined;
      const most = isPlain ? Number(request.headers['content-length'] ?? bounds.bytes) : bounds.bytes;
      const turn = await this.largeBodies.enter({ key: isGuest ? `address:${address}` : owner, isGuest }, most);
      if (response.closed) turn.release();
      else response.once('close', turn.release);
      return turn;
    }
  }
  return UseGuards(JsonReader);
}
