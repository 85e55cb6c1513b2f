import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ENV, type Env } from '../config/env.js';
import { Bus } from '../platform/redis/bus.js';
import { cookieAttributes, REMEMBERED_SESSION, sessionCookieName } from '../platform/session/session.js';
import { GuestCookies } from './guest-cookies.js';

/** Begins and ends the login of one browser. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly guests: GuestCookies,
    private readonly bus: Bus,
  ) {}

  /** Throws where no session could begin now. */
  async ensureReady(request: Request): Promise<void> {
    await settled((done) => request.session.regenerate(done));
  }

  /** Always under a new session id, so that one planted before is worth nothing. */
  async begin(request: Request, member: { id: number; sessionEpoch: number }, remember: boolean): Promise<void> {
    await settled((done) => request.session.regenerate(done));
    const { session } = request;
    session.userId = member.id;
    session.epoch = member.sessionEpoch;
    session.endsAt = Date.now() + REMEMBERED_SESSION;
    if (remember) session.cookie.maxAge = REMEMBERED_SESSION;
    await settled((done) => session.save(done));
  }

  /** Login and registration: the browser is another guest from now on, should it sign out. */
  async signIn(
    request: Request,
    response: Response,
    member: { id: number; sessionEpoch: number },
    remember: boolean,
  ): Promise<void> {
    await this.begin(request, member, remember);
    this.guests.rotate(request, response);
  }

  /** Ends this browser's session, makes it another guest and closes its sockets. */
  async signOut(request: Request, response: Response, userId: number): Promise<void> {
    const sessionId = request.sessionID;
    await settled((done) => request.session.destroy(done));
    response.clearCookie(sessionCookieName(this.env), cookieAttributes(this.env));
    this.guests.rotate(request, response);
    await this.bus.publish('session:ended', { userId, sessionId, reason: 'logout' });
  }
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
