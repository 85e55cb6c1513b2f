import type { IncomingMessage } from 'node:http';
import type { SocketAuth } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';
import type { SessionData, Store } from 'express-session';
import { bearerOf, isKey } from '../api-keys/key-text.js';
import { KeyLookup, WRONG_KEYS } from '../api-keys/key-lookup.service.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AppError } from '../platform/errors/app-error.js';
import type { AddressReader } from '../platform/net/client-address.js';
import { guestOwner, type Identity } from '../identity/identity.js';
import { ADDRESS_READER } from '../platform/platform.module.js';
import { ProxyWatch } from '../platform/net/proxy-watch.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { identityOf, type Roles, RolesService } from '../users/roles.service.js';

type Login = Pick<SessionData, 'userId' | 'epoch' | 'endsAt' | 'isTwoFactor'>;

/** Identity and session of a socket. Plain data: the socket adapter sends it between nodes. */
export interface SocketIdentity {
  identity: Identity;
  /** null for a guest. */
  sessionId: string | null;
  login: Login | null;
  /** When the session was last found in its store, ms since 1970. */
  seenAt: number;
}

/** Express matches routes in any case, so this does too. */
const ADMIN_ROUTE = /^\/api\/admin(\/|\?|$)/i;

/** How long a session found in the store counts as valid. Bounds how long a socket outlives a lost `session:ended`. */
const SESSION_CHECK_MS = 5_000;

/** Resolves the identity of calls and sockets. Roles are read from the user's row each time, so changes apply at once. */
@Injectable()
export class IdentityService {
  private store: Store | null = null;

  constructor(
    private readonly roles: RolesService,
    private readonly access: AccountAccessService,
    @Inject(ADDRESS_READER) private readonly readAddress: AddressReader,
    private readonly proxyWatch: ProxyWatch,
    private readonly keys: KeyLookup,
    private readonly limits: RateLimits,
  ) {}

  /** Sets `request.identity`. Runs after the middleware of sessions and guest cookies. */
  readonly middleware: RequestHandler = (request, _response, next) => {
    this.resolve(loginOf(request.session), request).then(
      (identity) => {
        request.identity = { ...identity, request: { id: request.id } };
        next();
      },
      (error: unknown) => next(error),
    );
  };

  /**
   * Resolves the identity of a socket. Its handshake passed the middleware of sessions and guest cookies.
   * @param auth the user that the page displays. A page whose session has ended is refused; otherwise it would send as a
   *   guest what its user wrote as a member.
   * @throws AppError `unauthenticated` when the page displays another user than the session's, or
   *   for a guest while guests are off; another `Refusal`
   */
  async resolveHandshake(request: IncomingMessage, auth: SocketAuth): Promise<SocketIdentity> {
    const { session, sessionID, sessionStore } = request as Parameters<RequestHandler>[0];
    this.store ??= sessionStore;
    const login = loginOf(session);
    const identity = await this.resolve(login, request);
    if (auth.userId !== undefined && auth.userId !== identity.userId) throw new AppError('unauthenticated');
    ensureAdmitted(identity);
    const isMember = identity.userId !== null;
    return {
      identity,
      sessionId: isMember ? sessionID : null,
      login: isMember ? login : null,
      seenAt: Date.now(),
    };
  }

  /**
   * Reads the socket's identity again, before each of its events.
   * @throws AppError `unauthenticated` when the session has ended, or guests are off; another `Refusal`
   */
  async refresh(socket: SocketIdentity): Promise<Identity> {
    if (socket.login === null) {
      if (!this.access.admitsGuests()) throw new AppError('unauthenticated');
      return socket.identity;
    }
    const [roles, isStored] = await Promise.all([this.rolesOf(socket.login), this.isStored(socket)]);
    if (roles === null || !isStored) throw new AppError('unauthenticated');
    socket.identity = this.memberIdentity(roles, socket.login, socket.identity.address);
    ensureAdmitted(socket.identity);
    return socket.identity;
  }

  private async resolve(login: Login | null, request: IncomingMessage): Promise<Identity> {
    this.proxyWatch.notice(request);
    const address = this.readAddress(request);
    const key = adminKeyIn(request);
    if (key !== null) return this.ofAdminKey(key, address);
    const roles = login === null ? null : await this.rolesOf(login);
    if (login !== null && roles !== null) return this.memberIdentity(roles, login, address);
    const owner = guestOwner(request.guestId!);
    return {
      owner,
      userId: null,
      isPremium: false,
      isAdmin: false,
      groupIds: [],
      quotaOverride: null,
      address,
      ...(this.access.admitsGuests() ? {} : { refusal: 'unauthenticated' }),
    };
  }

  /** The maker of a key of scope `admin`, as long as that is an active admin. @throws AppError `unauthenticated` */
  private async ofAdminKey(key: string, address: string): Promise<Identity> {
    const found = await this.keys.findAdmin(key);
    if (found === null) {
      await this.limits.consume(WRONG_KEYS, { address });
      throw new AppError('unauthenticated', { reason: 'api_key' });
    }
    const { adminKey, ...roles } = found;
    return { ...this.memberIdentity(roles, {}, address), adminKey };
  }

  /** @returns null when the session has expired, its epoch is outdated or the account is deleted */
  private async rolesOf({ userId, epoch, endsAt }: Login): Promise<Roles | null> {
    if (endsAt <= Date.now()) return null;
    return this.roles.ofSession(userId, epoch);
  }

  private memberIdentity(roles: Roles, { isTwoFactor }: Pick<Login, 'isTwoFactor'>, address: string): Identity {
    const identity = identityOf(roles, address);
    if (roles.mustChangePassword) identity.refusal ??= 'password_change_required';
    if (!isTwoFactor && this.access.mustEnrollTotp(roles)) identity.refusal ??= 'totp_enrollment_required';
    return identity;
  }

  private async isStored(socket: SocketIdentity): Promise<boolean> {
    if (Date.now() - socket.seenAt < SESSION_CHECK_MS) return true;
    const stored = await new Promise<boolean>((resolve) => {
      this.store!.get(socket.sessionId!, (error, session) => {
        // Its end may have become an earlier one.
        socket.login = loginOf(session ?? undefined) ?? socket.login;
        // An unavailable store ends no session; the epoch in Postgres still decides.
        resolve(Boolean(error) || session != null);
      });
    });
    if (stored) socket.seenAt = Date.now();
    return stored;
  }
}

/** The key of a program that makes a call of admins; other bearer tokens are those of a proxy. */
function adminKeyIn({ url = '', headers }: IncomingMessage): string | null {
  const token = ADMIN_ROUTE.test(url) ? bearerOf(headers) : undefined;
  return token !== undefined && isKey(token) ? token : null;
}

function loginOf(session: Partial<Login> | undefined): Login | null {
  const { userId, epoch, endsAt, isTwoFactor = false } = session ?? {};
  if (userId === undefined || epoch === undefined || endsAt === undefined) return null;
  return { userId, epoch, endsAt, isTwoFactor };
}

function ensureAdmitted({ refusal }: Identity): void {
  if (refusal !== undefined) throw new AppError(refusal);
}
