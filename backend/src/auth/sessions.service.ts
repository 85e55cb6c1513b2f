import { randomUUID } from 'node:crypto';
import type { SessionEndedPayload } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ENV, type Env } from '../config/env.js';
import { Bus } from '../platform/bus/bus.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { AccountSessions } from '../platform/session/account-sessions.js';
import { cookieAttributes, REMEMBERED_SESSION, sessionCookieName } from '../platform/session/session.js';
import { GuestCookies } from './guest-cookies.js';
import { sessionEnded } from '../identity/identity-topics.js';

/** Time for the page to receive its new cookie before its old sockets are closed. */
const SOCKET_GRACE_MS = 2_000;

/** Begins, renews and ends the session of one browser. */
@Injectable()
export class SessionsService implements OnApplicationBootstrap {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly guests: GuestCookies,
    private readonly stored: AccountSessions,
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.stored
      .countEarlier()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'count of earlier sessions failed; retrying at the next start'),
      );
  }

  /** Checks that the session store can be written. @throws when it is unavailable */
  async ensureReady({ sessionStore }: Request): Promise<void> {
    await fromCallback((done) => sessionStore.destroy(randomUUID(), done));
  }

  /** Begins a session under a new id, which prevents session fixation. The account's oldest ones beyond a bound end. */
  async createSession(
    request: Request,
    member: { id: number; sessionEpoch: number },
    remember: boolean,
  ): Promise<void> {
    await fromCallback((done) => request.session.regenerate(done));
    const { session } = request;
    session.userId = member.id;
    session.epoch = member.sessionEpoch;
    session.endsAt = Date.now() + REMEMBERED_SESSION;
    if (remember) session.cookie.maxAge = REMEMBERED_SESSION;
    await fromCallback((done) => session.save(done));
    const ended = await this.stored.add({ id: request.sessionID, userId: member.id, endsAt: session.endsAt });
    for (const sessionId of ended) {
      await this.bus.publish(sessionEnded, { userId: member.id, sessionId, reason: 'expired' });
    }
  }

  /** Begins a session after a login or registration, and issues the guest cookie that applies after the sign-out. */
  async signIn(
    request: Request,
    response: Response,
    member: { id: number; sessionEpoch: number },
    remember: boolean,
  ): Promise<void> {
    await this.createSession(request, member, remember);
    this.guests.rotate(request, response);
  }

  /**
   * Continues this session under a new id and epoch, and closes the sockets of all others. The sockets of the old id are
   * closed after the page has received its new cookie.
   */
  async renew(
    request: Request,
    member: { id: number; sessionEpoch: number },
    reason: SessionEndedPayload['reason'],
  ): Promise<void> {
    const sessionId = request.sessionID;
    await this.createSession(request, member, request.session.cookie.originalMaxAge !== null);
    await this.bus.publish(sessionEnded, { userId: member.id, reason, exceptSessionId: sessionId });
    setTimeout(() => {
      void this.bus.publish(sessionEnded, { userId: member.id, reason, sessionId });
    }, SOCKET_GRACE_MS).unref();
  }

  /** Ends this browser's session, issues a new guest cookie and closes the session's sockets. */
  async signOut(request: Request, response: Response, userId: number): Promise<void> {
    const sessionId = request.sessionID;
    await fromCallback((done) => request.session.destroy(done));
    response.clearCookie(sessionCookieName(this.env), cookieAttributes(this.env));
    this.guests.rotate(request, response);
    await this.bus.publish(sessionEnded, { userId, sessionId, reason: 'logout' });
  }
}

function fromCallback(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
