import type { SessionEndedPayload } from '@tanya/contract';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IdentityService } from '../../auth/identity.service.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { Bus, type PayloadOf } from '../../platform/bus/bus.js';
import { type Identity, isRefusal, ownerRoom, type Refusal, userOwner } from '../../identity/identity.js';
import type { ChatServer, ChatSocket } from '../sockets/owner-sockets.js';
import { sessionEnded } from '../../identity/identity-topics.js';
import { SettingsService } from '../../settings/settings.service.js';

/**
 * Grace period in ms before a socket with an ended session is closed: the announcement with the reason for the end may
 * still be on its way.
 */
const END_GRACE_MS = 3_000;

/** What the page is told of a refused member. It finds the others by itself, and what it then shows needs no socket. */
const ENDS: Partial<Record<Refusal, SessionEndedPayload['reason']>> = {
  unauthenticated: 'expired',
  account_suspended: 'suspended',
};

/**
 * Closes sockets whose session has ended, and those of guests while guests are off: by announcement, at the next event, or
 * at the periodic check.
 */
@Injectable()
export class SocketSessions implements OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly identities: IdentityService,
    private readonly settings: SettingsService,
    private readonly bus: Bus,
  ) {}

  watch(server: ChatServer): void {
    this.bus.subscribe(sessionEnded, (ended) => this.endSessions(server, ended));
    this.settings.onChanged(() => this.endGuests(server));
    this.scheduleCheck(server);
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /**
   * Reads the roles of a socket's user. Closes the socket when its session has ended or its client is refused.
   * @throws AppError with a `Refusal`
   */
  async identify(socket: ChatSocket): Promise<Identity> {
    try {
      return await this.identities.refresh(socket.data);
    } catch (error) {
      if (error instanceof AppError && isRefusal(error.code)) {
        const reason = socket.data.login === null ? undefined : ENDS[error.code];
        setImmediate(() => {
          if (reason !== undefined) socket.emit('session:ended', { reason });
          socket.disconnect(true);
        });
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

  /** The pages read the settings, and find that guests are off. */
  private async endGuests(server: ChatServer): Promise<void> {
    const guests = [...server.sockets.sockets.values()].filter(({ data }) => data.login === null);
    for (const socket of guests) await this.identify(socket).catch(() => undefined);
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
      // While storage is away nobody knows; the next event or check does.
      (error) => error instanceof AppError && isRefusal(error.code),
    );
  }
}
