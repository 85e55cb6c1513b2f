import type { IncomingMessage } from 'node:http';
import type { SocketAuth } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestHandler } from 'express';
import type { SessionData, Store } from 'express-session';
import type { Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import type { AddressReader } from '../platform/net/client-address.js';
import { guestOwner, type Identity, userOwner } from '../platform/session/identity.js';
import { ADDRESS_READER } from '../platform/platform.module.js';
import { ProxyWatch } from '../platform/net/proxy-watch.js';
import { UserEntity } from '../users/user.entity.js';

type Member = Pick<UserEntity, 'id' | 'isPremium' | 'isAdmin'>;

type Login = Pick<SessionData, 'userId' | 'epoch' | 'endsAt'>;

/** Who holds a socket. Plain data: it travels between processes with the socket. */
export interface SocketIdentity {
  identity: Identity;
  /** null for a guest. */
  sessionId: string | null;
  login: Login | null;
  /** When the session was last seen in its store, ms. */
  seenAt: number;
}

/** A logout reaches sockets by announcement; should that be lost, the next event after this notices. */
const SESSION_CHECK = 5_000;

/** Tells who asks. Roles come from the user's row each time, so what an admin takes away is gone at once. */
@Injectable()
export class IdentityService {
  private store: Store | null = null;

  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    @Inject(ADDRESS_READER) private readonly readAddress: AddressReader,
    private readonly proxyWatch: ProxyWatch,
  ) {}

  /** Sets `request.identity`, after the session's and the guest cookie's middleware. */
  readonly middleware: RequestHandler = (request, _response, next) => {
    this.resolve(loginOf(request.session), request).then(
      (identity) => {
        request.identity = identity;
        next();
      },
      (error: unknown) => next(error),
    );
  };

  /**
   * Who opens a socket; its handshake went through the middleware of all calls.
   * @param auth what the page says of itself. A page whose session is gone must hear so: as a guest it would send what
   *   somebody wrote who believes to be signed in.
   * @throws AppError `unauthenticated` when it shows somebody else than who this is
   */
  async resolveHandshake(request: IncomingMessage, auth: SocketAuth): Promise<SocketIdentity> {
    const { session, sessionID, sessionStore } = request as Parameters<RequestHandler>[0];
    this.store ??= sessionStore;
    const login = loginOf(session);
    const identity = await this.resolve(login, request);
    if (auth.userId !== undefined && auth.userId !== identity.userId) throw new AppError('unauthenticated');
    const isMember = identity.userId !== null;
    return {
      identity,
      sessionId: isMember ? sessionID : null,
      login: isMember ? login : null,
      seenAt: Date.now(),
    };
  }

  /**
   * Who holds the socket now, for each of its events.
   * @throws AppError `unauthenticated` when the session has ended
   */
  async refresh(socket: SocketIdentity): Promise<Identity> {
    if (socket.login === null) return socket.identity;
    const [user, isStored] = await Promise.all([this.userOf(socket.login), this.isStored(socket)]);
    if (user === null || !isStored) throw new AppError('unauthenticated');
    socket.identity = memberIdentity(user, socket.identity.address);
    return socket.identity;
  }

  private async resolve(login: Login | null, request: IncomingMessage): Promise<Identity> {
    this.proxyWatch.notice(request);
    const address = this.readAddress(request);
    const user = login === null ? null : await this.userOf(login);
    if (user !== null) return memberIdentity(user, address);
    return { owner: guestOwner(request.guestId!), userId: null, isPremium: false, isAdmin: false, address };
  }

  /** null: the session is over, by time, by a raised epoch or because the account is gone. */
  private async userOf({ userId, epoch, endsAt }: Login): Promise<Member | null> {
    if (endsAt <= Date.now()) return null;
    // Asked for each call and each event: written out, because building the query costs more than running it.
    const [user] = await this.users.query<Member[]>(
      'select id, is_premium as "isPremium", is_admin as "isAdmin" from "user" where id = $1 and session_epoch = $2',
      [userId, epoch],
    );
    return user ?? null;
  }

  private async isStored(socket: SocketIdentity): Promise<boolean> {
    if (Date.now() - socket.seenAt < SESSION_CHECK) return true;
    const stored = await new Promise<boolean>((resolve) => {
      // A store that is away ends no session: the epoch in Postgres still decides.
      this.store!.get(socket.sessionId!, (error, session) => resolve(Boolean(error) || session != null));
    });
    if (stored) socket.seenAt = Date.now();
    return stored;
  }
}

function loginOf(session: Partial<Login> | undefined): Login | null {
  const { userId, epoch, endsAt } = session ?? {};
  return userId === undefined || epoch === undefined || endsAt === undefined ? null : { userId, epoch, endsAt };
}

const memberIdentity = ({ id, isPremium, isAdmin }: Member, address: string): Identity => ({
  owner: userOwner(id),
  userId: id,
  isPremium,
  isAdmin,
  address,
});
