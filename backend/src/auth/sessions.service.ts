import { createHash, randomUUID } from 'node:crypto';
import type { AccountSession, SessionEndedPayload } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import bowser from 'bowser';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { ENV, type Env } from '../config/env.js';
import { Bus } from '../platform/bus/bus.js';
import { AppError } from '../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { AccountSessions, type StoredSession } from '../platform/session/account-sessions.js';
import {
  cookieAttributes,
  type OidcSession,
  REMEMBERED_SESSION,
  type SessionStart,
  sessionCookieName,
  type SignInWay,
} from '../platform/session/session.js';
import { GuestCookies } from './guest-cookies.js';
import { GuestMigrationService } from './guest-migration.service.js';
import { AccountNotices } from '../users/account-notices.js';
import { KnownBrowsers } from './known-browsers.js';
import { hasProvidedRights } from './oidc/provider-rights.js';
import { sessionEnded } from '../identity/identity-topics.js';
import type { UserEntity } from '../users/user.entity.js';

/** Time for the page to receive its new cookie before its old sockets are closed. */
const SOCKET_GRACE_MS = 2_000;

/** Longer than what browsers send, and short beside a session. Characters. */
const MAX_USER_AGENT = 512;

/** For how long an account is new: its first browser is the one that registered it, ms. */
const NEW_ACCOUNT = 10 * 60 * 1000;

type Member = Pick<UserEntity, 'id' | 'sessionEpoch'>;

interface SignIn {
  way: SignInWay;
  /** See `SessionData`. */
  authenticatedAt?: number | undefined;
  isTwoFactor?: boolean | undefined;
  passkeyId?: number | undefined;
  /** Whether the session outlives the browser, for 30 days. */
  remember: boolean;
  oidc?: OidcSession | undefined;
}

/** How long a session lasts whose account has rights from an identity provider, which the next sign-in there confirms, ms. */
const PROVIDED_RIGHTS = 12 * 60 * 60 * 1000;

/** Begins, renews, lists and ends sessions, each of which is one browser's. */
@Injectable()
export class SessionsService implements OnApplicationBootstrap {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly guests: GuestCookies,
    private readonly guestMigration: GuestMigrationService,
    private readonly stored: AccountSessions,
    private readonly browsers: KnownBrowsers,
    private readonly notices: AccountNotices,
    private readonly bus: Bus,
    private readonly dataSource: DataSource,
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

  /**
   * Begins a session under a new id, which prevents session fixation. The account's oldest ones beyond a bound end.
   * @param before the session that it continues, which it does not outlast
   */
  async createSession(
    request: Request,
    member: Member,
    { remember, ...signIn }: SignIn,
    before?: { endsAt: number; start: SessionStart | undefined },
  ): Promise<void> {
    const lifetime = (await hasProvidedRights(this.dataSource, member.id)) ? PROVIDED_RIGHTS : REMEMBERED_SESSION;
    await fromCallback((done) => request.session.regenerate(done));
    const { session } = request;
    session.userId = member.id;
    session.epoch = member.sessionEpoch;
    session.endsAt = Math.min(Date.now() + lifetime, before?.endsAt ?? Infinity);
    Object.assign(session, signIn);
    session.start = before?.start ?? {
      at: Date.now(),
      address: request.identity!.address,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
    };
    if (remember) session.cookie.maxAge = REMEMBERED_SESSION;
    await fromCallback((done) => session.save(done));
    // With the answer express-session would store a new session once more, and bring back one that has ended meanwhile.
    session.save = (done) => {
      done?.(null);
      return session;
    };
    const ended = await this.stored.add({ id: request.sessionID, userId: member.id, endsAt: session.endsAt });
    for (const sessionId of ended) {
      await this.bus.publish(sessionEnded, { userId: member.id, sessionId, reason: 'expired' });
    }
  }

  /**
   * Signs in to an account that is there, to which the chats of the guest come along. They stay with the guest while no
   * session can be stored.
   * @throws when the session store is unavailable
   */
  async signInWithChats(request: Request, response: Response, user: UserEntity, signIn: SignIn): Promise<void> {
    await this.ensureReady(request);
    await this.guestMigration.migrate(request.guestId!, user.id);
    await this.signIn(request, response, user, signIn);
  }

  /**
   * Begins a session after a login or registration, and issues the guest cookie that applies after the sign-out. A browser
   * that the account did not use before is told to its person, except for a new account.
   */
  async signIn(request: Request, response: Response, user: UserEntity, signIn: SignIn): Promise<void> {
    await this.createSession(request, user, signIn);
    this.guests.rotate(request, response);
    if (!this.notices.areSent || this.browsers.note(request, response, user.id)) return;
    if (Date.now() - user.createdAt.getTime() < NEW_ACCOUNT) return;
    const { address, userAgent } = request.session.start!;
    this.notices.tell(user.id, { kind: 'new_browser', device: deviceOf(userAgent), address });
  }

  /** Continues this session under a new id and epoch, and closes the sockets of all others. */
  async renew(request: Request, member: Member, reason: SessionEndedPayload['reason']): Promise<void> {
    const { sessionID, session } = request;
    await this.continueSession(request, member, session.authenticatedAt, reason);
    await this.bus.publish(sessionEnded, { userId: member.id, reason, exceptSessionId: sessionID });
  }

  /**
   * Continues this session under a new id after its person has signed in once more, with a passkey or at a provider that
   * asked them to: for a while, changes of the account need no password.
   */
  async renewAuthentication(request: Request, authenticatedAt = Date.now()): Promise<void> {
    const { userId, epoch } = request.session;
    await this.continueSession(request, { id: userId!, sessionEpoch: epoch! }, authenticatedAt, 'expired');
  }

  /** The sockets of the old id are closed after the page has received its new cookie. */
  private async continueSession(
    request: Request,
    member: Member,
    authenticatedAt: number | undefined,
    reason: SessionEndedPayload['reason'],
  ): Promise<void> {
    const { sessionID: sessionId, session } = request;
    const { way = 'password', isTwoFactor, passkeyId, cookie, oidc, endsAt, start } = session;
    const remember = cookie.originalMaxAge !== null;
    const before = { endsAt: endsAt!, start };
    const signIn = { way, isTwoFactor, passkeyId, authenticatedAt, remember, oidc };
    await this.createSession(request, member, signIn, before);
    setTimeout(() => {
      void this.bus.publish(sessionEnded, { userId: member.id, reason, sessionId });
    }, SOCKET_GRACE_MS).unref();
  }

  /** Sessions of an account, this browser's first, then by their last request. */
  async list(request: Request, member: Member): Promise<AccountSession[]> {
    const own = await this.validOf(member);
    return own
      .toSorted((a, b) => b.seenAt - a.seenAt)
      .map(({ id, data: { start, endsAt }, seenAt }) => ({
        id: publicId(id),
        isCurrent: id === request.sessionID,
        createdAt: new Date(start?.at ?? endsAt - REMEMBERED_SESSION).toISOString(),
        lastSeenAt: new Date(id === request.sessionID ? Date.now() : seenAt).toISOString(),
        address: start?.address ?? null,
        device: start ? deviceOf(start.userAgent) : null,
      }))
      .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  }

  /**
   * Ends one session of an account and closes its sockets.
   * @param id as `list` names it
   * @throws AppError `not_found`
   */
  async end(request: Request, response: Response, member: Member, id: string): Promise<void> {
    const own = await this.validOf(member);
    const session = own.find((each) => publicId(each.id) === id);
    if (session === undefined) throw new AppError('not_found');
    if (session.id === request.sessionID) return this.signOut(request, response, member.id);
    await this.stored.delete(session.id);
    await this.bus.publish(sessionEnded, { userId: member.id, sessionId: session.id, reason: 'logout' });
  }

  /** Ends the sessions of an account that began at an identity provider: with one session there, or with a login. */
  endProvided(userId: number, { identityId, sid }: { identityId: number; sid: string | null }): Promise<void> {
    return this.endWhere(
      userId,
      ({ data: { oidc } }) => oidc?.identityId === identityId && (sid === null || oidc.sid === sid),
    );
  }

  /** Ends sessions of an account and closes their sockets. */
  async endWhere(userId: number, isEnded: (session: StoredSession) => boolean): Promise<void> {
    const stored = await this.stored.list(userId);
    for (const { id } of stored.filter(isEnded)) {
      await this.stored.delete(id);
      await this.bus.publish(sessionEnded, { userId, sessionId: id, reason: 'logout' });
    }
  }

  /** Lets the sessions that began before a provider gave rights to their account end as early as later ones. */
  async shortenToRights(userId: number): Promise<void> {
    if (await hasProvidedRights(this.dataSource, userId))
      await this.stored.shorten(userId, Date.now() + PROVIDED_RIGHTS);
  }

  private async validOf({ id, sessionEpoch }: Member): Promise<StoredSession[]> {
    const stored = await this.stored.list(id);
    return stored.filter(({ data: { epoch, endsAt } }) => epoch === sessionEpoch && endsAt > Date.now());
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

/** Names a session in calls of its owner. Its own id opens the session and leaves the server in the cookie alone. */
const publicId = (id: string): string => createHash('sha256').update(id).digest('base64url');

function deviceOf(userAgent: string): string | null {
  const { browser, os } = bowser.parse(userAgent || 'unknown');
  return [browser.name, os.name].filter(Boolean).join(' · ') || null;
}

function fromCallback(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
