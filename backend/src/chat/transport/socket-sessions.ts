import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IdentityService } from '../../auth/identity.service.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { Bus, type PayloadOf } from '../../platform/bus/bus.js';
import { type Identity, ownerRoom, userOwner } from '../../identity/identity.js';
import type { ChatServer, ChatSocket } from '../sockets/chat-server.js';
import { sessionEnded } from '../../identity/identity-topics.js';

/**
 * Grace period in ms before a socket with an ended session is closed: the announcement with the reason for the end may
 * still be on its way.
 */
const END_GRACE_MS = 3_000;

/** Closes sockets whose session has ended: by announcement, at the next event, or at the periodic check. */
@Injectable()
export class SocketSessions implements OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly identities: IdentityService,
    private readonly bus: Bus,
  ) {}

  watch(server: ChatServer): void {
    this.bus.subscribe(sessionEnded, (ended) => this.endSessions(server, ended));
    this.scheduleCheck(server);
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /**
   * Reads the roles of a socket's user. Closes the socket when its session has ended, or its account is suspended or must
   * enrol a second factor.
   * @throws AppError `unauthenticated`, `account_suspended`, `totp_enrollment_required`
   */
  async identify(socket: ChatSocket): Promise<Identity> {
    try {
      return await this.identities.refresh(socket.data);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') {
        setImmediate(() => socket.emit('session:ended', { reason: 'expired' }) && socket.disconnect(true));
      }
      if (error instanceof AppError && error.code === 'account_suspended') {
        setImmediate(() => socket.emit('session:ended', { reason: 'suspended' }) && socket.disconnect(true));
      }
      // The page shows the enrolment, which needs no socket.
      if (error instanceof AppError && error.code === 'totp_enrollment_required') {
        setImmediate(() => socket.disconnect(true));
      }
      throw error;
    }
  }

  /** Finds sessions that ended without an announcement, for sockets that send no event. */
  private scheduleCheck(server: ChatServer): void {
    this.timer = setTimeout(async () => {
      for (const socket of [...server.sockets.sockets.values()]) {
        await this.identities.refresh(socket.data).catch(() => {
          setTimeout(() => void this.identify(socket).catch(() => undefined), END_GRACE_MS).unref();
        });
      }
      this.scheduleCheck(server);
    }, this.timings.sessionWatch).unref();
  }

  private async endSessions(server: ChatServer, ended: PayloadOf<typeof sessionEnded>): Promise<void> {
    const room = server.sockets.adapter.rooms.get(ownerRoom(userOwner(ended.userId))) ?? [];
    const sockets = [...room].flatMap((id) => server.sockets.sockets.get(id) ?? []);
    await Promise.all(
      sockets.map(async (socket) => {
        if (!(await this.isEnded(socket, ended))) return;
        socket.emit('session:ended', { reason: ended.reason });
        socket.disconnect(true);
      }),
    );
    this.logger.debug({ userId: ended.userId, reason: ended.reason }, 'sessions ended');
  }

  private async isEnded({ data }: ChatSocket, ended: PayloadOf<typeof sessionEnded>): Promise<boolean> {
    if (ended.sessionId !== undefined) return data.sessionId === ended.sessionId;
    if (ended.exceptSessionId !== undefined && data.sessionId === ended.exceptSessionId) return false;
    // An announcement over Redis can arrive after the next login, whose session goes on.
    return this.identities.refresh(data).then(
      () => false,
      () => true,
    );
  }
}
