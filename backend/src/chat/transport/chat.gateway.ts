import type {
  Ack,
  ClientToServerEvents,
  GenerationResumed,
  GenerationStarted,
  GenerationStopped,
  ServerToClientEvents,
} from '@tanya/contract';
import { Inject, type OnModuleDestroy, UseFilters, UsePipes } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayInit,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import type { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import { IdentityService, type SocketIdentity } from '../../auth/identity.service.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Bus, type BusTopics } from '../../platform/redis/bus.js';
import { toAppError, toErrorBody } from '../../platform/errors/error-body.js';
import { type Identity, type Owner, ownerRoom, userOwner } from '../../platform/session/identity.js';
import { LOGGER, type Logger, requestId } from '../../platform/observability/logging.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { RemoteSubscribers } from '../../platform/sockets/remote-subscribers.js';
import { REDIS } from '../../platform/redis/redis.js';
import { SocketErrorFilter } from '../../platform/errors/socket-error.filter.js';
import { isAck } from '../../platform/sockets/socket-io.adapter.js';
import { createValidationPipe } from '../../platform/http/validation.pipe.js';
import { QuotaService } from '../../quota/quota.service.js';
import { GenerationRegenerateDto, GenerationResumeDto, GenerationStartDto, GenerationStopDto } from './chat.dto.js';
import { ChatEvents, type OwnerEmitter } from '../generation/chat-events.js';
import { GenerationService } from '../generation/generation.service.js';
import { requireContent } from './outgoing-message.js';

type ChatServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketIdentity>;
type ChatSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketIdentity>;

const EVENTS = new Set<string>(['generation:start', 'generation:regenerate', 'generation:stop', 'generation:resume']);

/** Events of one owner on this node: 50 a second on average, 200 at once. */
const EVENT_LIMIT = { points: 200, duration: 4 };

/** Open sockets of one owner on this node: many tabs on many devices. */
const SOCKETS_PER_OWNER = 50;

/** An end that is announced is announced by then, and says why; ms. */
const ANNOUNCEMENT = 3_000;

const ok = <T>(data: T): Ack<T> => ({ ok: true, data });

const isPlainObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const isPiece = (event: string, payload: { type?: string } | undefined): boolean =>
  event === 'generation:event' && (payload?.type === 'text-delta' || payload?.type === 'reasoning-delta');

/** The socket's edge: who is there, is it well-formed, which service does it. It decides nothing itself. */
@WebSocketGateway()
@UsePipes(createValidationPipe())
@UseFilters(SocketErrorFilter)
export class ChatGateway implements OnGatewayInit<ChatServer>, OnModuleDestroy {
  private readonly eventLimit = new RateLimiterMemory(EVENT_LIMIT);

  private others: RemoteSubscribers | null = null;
  private sessionWatch: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(REDIS) private readonly redis: Redis | null,
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly identities: IdentityService,
    private readonly generations: GenerationService,
    private readonly events: ChatEvents,
    private readonly quotas: QuotaService,
    private readonly bus: Bus,
    private readonly metrics: Metrics,
  ) {}

  afterInit(server: ChatServer): void {
    server.use((socket, next) => {
      this.admit(server, socket).then(
        () => next(),
        (error: unknown) => next(this.connectError(error)),
      );
    });
    this.metrics.sample('tanya_sockets', 'Open sockets of this process', () => server.engine.clientsCount);
    this.events.connect(this.emitter(server));
    this.watchSessions(server);
    this.bus.subscribe('session:ended', (ended) => this.endSessions(server, ended));
    this.bus.subscribe('plan:changed', (plan) => this.showPlan(server, plan));
    this.bus.subscribe('settings:changed', () => void server.local.emit('settings:changed'));
    this.bus.subscribe('models:changed', () => void server.local.emit('models:changed'));
  }

  onModuleDestroy(): void {
    this.others?.close();
    clearTimeout(this.sessionWatch);
  }

  @SubscribeMessage('generation:start')
  async start(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationStartDto,
  ): Promise<Ack<GenerationStarted>> {
    const identity = await this.identify(socket);
    const { started } = await this.generations.start(identity, {
      ...payload,
      content: requireContent(payload.content),
    });
    return ok(started);
  }

  @SubscribeMessage('generation:regenerate')
  async regenerate(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationRegenerateDto,
  ): Promise<Ack<GenerationStarted>> {
    const { started } = await this.generations.regenerate(await this.identify(socket), payload);
    return ok(started);
  }

  @SubscribeMessage('generation:stop')
  async stop(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationStopDto,
  ): Promise<Ack<GenerationStopped>> {
    const { owner } = await this.identify(socket);
    return ok({ status: await this.generations.stop(owner, payload.generationId) });
  }

  @SubscribeMessage('generation:resume')
  async resume(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationResumeDto,
  ): Promise<Ack<GenerationResumed>> {
    const { owner } = await this.identify(socket);
    return ok(await this.generations.resume(owner, payload.generationId, payload.afterSeq));
  }

  /** Everything reaches every process, but the pieces of an answer only those where somebody follows it. */
  private emitter(server: ChatServer): OwnerEmitter {
    const { adapter, sockets } = server.sockets;
    const isHere = (owner: Owner) => [...(adapter.rooms.get(ownerRoom(owner)) ?? [])].some((id) => sockets.has(id));
    const others = this.redis === null ? null : new RemoteSubscribers(this.redis, this.bus, isHere);
    this.others = others;
    return (owner, event, ...args) => {
      const room = ownerRoom(owner);
      const [payload] = args as { type?: string }[];
      const isHere = others === null || (isPiece(event, payload) && !others.of(owner));
      if (!isHere) server.to(room).emit(event, ...(args as never));
      // A broadcast copies rooms, options and frames, which for one socket is most of what a token costs.
      else for (const id of adapter.rooms.get(room) ?? []) sockets.get(id)?.emit(event, ...(args as never));
    };
  }

  /** Who this is, before the first event: the session was read at the handshake. */
  private async admit(server: ChatServer, socket: ChatSocket): Promise<void> {
    Object.assign(socket.data, await this.identities.resolveHandshake(socket.request, socket.handshake.auth));
    const room = ownerRoom(socket.data.identity.owner);
    if ((server.sockets.adapter.rooms.get(room)?.size ?? 0) >= SOCKETS_PER_OWNER) throw new AppError('rate_limited');
    await socket.join(room);
    await this.others?.announce(socket.data.identity.owner);
    forgetHandshake(socket);
    socket.use((packet, next) => this.screen(socket, packet, next));
  }

  /** Answers what no handler would: unknown events, payloads that are no object, too many of them. */
  private screen(socket: ChatSocket, packet: unknown[], next: () => void): void {
    const ack = packet.at(-1);
    const refuse = (error: AppError) => {
      if (isAck(ack)) ack({ ok: false, error: toErrorBody(error, requestId(undefined)) });
    };
    this.eventLimit.consume(socket.data.identity.owner).then(
      () => {
        const [name, payload] = packet;
        const known = typeof name === 'string' && EVENTS.has(name);
        if (known && isPlainObject(payload) && packet.length <= 3) next();
        else refuse(new AppError('invalid', known ? {} : { message: 'There is no such event.' }));
      },
      () => refuse(new AppError('rate_limited', { retryAfter: 1 })),
    );
  }

  /** An end that nobody announced shows at the next event; a page that says nothing would go on listening. */
  private watchSessions(server: ChatServer): void {
    this.sessionWatch = setTimeout(async () => {
      for (const socket of [...server.sockets.sockets.values()]) {
        await this.identities.refresh(socket.data).catch(() => {
          setTimeout(() => void this.identify(socket).catch(() => undefined), ANNOUNCEMENT).unref();
        });
      }
      this.watchSessions(server);
    }, this.timings.sessionWatch).unref();
  }

  /** Roles fresh for each event; a socket whose session has ended is closed. */
  private async identify(socket: ChatSocket): Promise<Identity> {
    try {
      return await this.identities.refresh(socket.data);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') {
        setImmediate(() => socket.emit('session:ended', { reason: 'expired' }) && socket.disconnect(true));
      }
      throw error;
    }
  }

  /** Socket.IO hands `data` of this error to the client. */
  private connectError(thrown: unknown): Error {
    const error = toAppError(thrown);
    const id = requestId(undefined);
    if (error.status >= 500)
      this.logger.error({ err: error.cause ?? error, requestId: id, code: error.code }, 'a socket could not be opened');
    return Object.assign(new Error(error.message), { data: toErrorBody(error, id) });
  }

  /**
   * Each node tells its own sockets what may be spent under another plan, and that other settings hold for them: then a
   * page reads again who it shows, which an equal limit or another role would not lead it to.
   */
  private async showPlan(server: ChatServer, plan: BusTopics['plan:changed']): Promise<void> {
    const owner = userOwner(plan.userId);
    const room = ownerRoom(owner);
    if (!server.sockets.adapter.rooms.has(room)) return;
    server.local.to(room).emit('settings:changed');
    server.local.to(room).emit('quota:changed', await this.quotas.quotaOf({ owner, ...plan }));
  }

  /** Each node closes its own sockets. */
  private endSessions(server: ChatServer, ended: BusTopics['session:ended']): void {
    const room = server.sockets.adapter.rooms.get(ownerRoom(userOwner(ended.userId))) ?? [];
    for (const id of [...room]) {
      const socket = server.sockets.sockets.get(id);
      if (socket === undefined) continue;
      const { sessionId } = socket.data;
      if (ended.sessionId !== undefined && sessionId !== ended.sessionId) continue;
      if (ended.exceptSessionId !== undefined && sessionId === ended.exceptSessionId) continue;
      socket.emit('session:ended', { reason: ended.reason });
      socket.disconnect(true);
    }
    this.logger.debug({ userId: ended.userId, reason: ended.reason }, 'sessions ended');
  }
}

/** The request that opened a socket is as large as the socket itself, and nothing of it is needed any more. */
function forgetHandshake(socket: ChatSocket): void {
  Object.assign(socket.conn, { request: null });
  Object.assign(socket, { handshake: null });
}
