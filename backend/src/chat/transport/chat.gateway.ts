import type { Ack, GenerationApproved, GenerationResumed, GenerationStarted, GenerationStopped } from '@tanya/contract';
import { Inject, UseFilters, type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayInit,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import { IdentityService } from '../../auth/identity.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { toAppError, toErrorBody } from '../../platform/errors/error-body.js';
import { LOGGER, type Logger, requestId } from '../../platform/observability/logging.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { Tracing } from '../../platform/observability/tracing.js';
import { ownerRoom } from '../../identity/identity.js';
import { GenerationStopper } from '../generation/generation-stopper.js';
import { GenerationService } from '../generation/generation.service.js';
import { ResumeService } from '../generation/resume.service.js';
import {
  GenerationApproveDto,
  GenerationRegenerateDto,
  GenerationResumeDto,
  GenerationStartDto,
  GenerationStopDto,
  requireContent,
} from './chat.dto.js';
import { type ChatServer, type ChatSocket, OwnerSockets, threadRoom } from '../sockets/owner-sockets.js';
import { SocketBroadcasts } from './socket-broadcasts.js';
import { SocketScreen } from './socket-screen.js';
import { SocketSessions } from './socket-sessions.js';
import { randomUUID } from 'node:crypto';
import { FailureLog } from '../../failures/failure-log.js';
import { isAck } from '../../platform/sockets/socket-io.adapter.js';

/** Maximum of open sockets of one owner on this node. */
const SOCKETS_PER_OWNER = 50;

const ok = <T>(data: T): Ack<T> => ({ ok: true, data });

/** Acknowledges a failed event with `{ ok: false, error }`; without an ack the client would wait until its timeout. */
@Catch()
class SocketErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly failures: FailureLog,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error = toAppError(thrown);
    const requestId = randomUUID();
    if (error.status >= 500) {
      const { identity } = host.switchToWs().getClient<ChatSocket>().data;
      const { code } = error;
      this.logger.error(
        { err: error.cause ?? error, requestId, userId: identity.userId ?? undefined, code },
        'socket event failed',
      );
      this.failures.recordRequest(error, requestId, identity);
    }
    const ack = host.getArgs<unknown[]>().find(isAck);
    ack?.({ ok: false, error: toErrorBody(error, requestId) });
  }
}

/** The socket transport: identifies, validates and calls a service. Every event gets exactly one ack. */
@WebSocketGateway()
@UseFilters(SocketErrorFilter)
export class ChatGateway implements OnGatewayInit<ChatServer> {
  private readonly screen = new SocketScreen();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly identities: IdentityService,
    private readonly sessions: SocketSessions,
    private readonly generations: GenerationService,
    private readonly stopper: GenerationStopper,
    private readonly resumes: ResumeService,
    private readonly sockets: OwnerSockets,
    private readonly broadcasts: SocketBroadcasts,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  afterInit(server: ChatServer): void {
    server.use((socket, next) => {
      this.identifySocket(server, socket).then(
        () => next(),
        (error: unknown) => next(this.connectError(error)),
      );
    });
    this.metrics.gauge('tanya_sockets', 'Open sockets of this process', () => server.engine.clientsCount);
    this.sockets.attach(server);
    this.sessions.watch(server);
    this.broadcasts.watch(server);
  }

  @SubscribeMessage('generation:start')
  async start(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationStartDto,
  ): Promise<Ack<GenerationStarted>> {
    return this.traced('generation:start', async () => {
      const identity = await this.sessions.identify(socket);
      const content = requireContent(payload.content);
      return this.joinIfTemporary(socket, await this.generations.send(identity, { ...payload, content }));
    });
  }

  @SubscribeMessage('generation:regenerate')
  async regenerate(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationRegenerateDto,
  ): Promise<Ack<GenerationStarted>> {
    return this.traced('generation:regenerate', async () =>
      this.joinIfTemporary(socket, await this.generations.regenerate(await this.sessions.identify(socket), payload)),
    );
  }

  @SubscribeMessage('generation:stop')
  async stop(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationStopDto,
  ): Promise<Ack<GenerationStopped>> {
    const { owner } = await this.sessions.identify(socket);
    return ok({ status: await this.stopper.stop(owner, payload.generationId) });
  }

  @SubscribeMessage('generation:approve')
  async approve(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationApproveDto,
  ): Promise<Ack<GenerationApproved>> {
    const { owner } = await this.sessions.identify(socket);
    return ok({ status: await this.generations.decide(owner, payload) });
  }

  @SubscribeMessage('generation:resume')
  async resume(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationResumeDto,
  ): Promise<Ack<GenerationResumed>> {
    const { owner } = await this.sessions.identify(socket);
    return ok(await this.resumes.resume(owner, payload.generationId, payload.afterSeq));
  }

  /** Changes of a temporary thread go only to the pages that have sent in it. This socket becomes one of them. */
  private async joinIfTemporary(socket: ChatSocket, started: GenerationStarted): Promise<GenerationStarted> {
    const { threadId, temporary } = started;
    if (!temporary) return started;
    await socket.join(threadRoom(socket.data.identity.owner, threadId));
    socket.emit('thread:changed', { threadId });
    return started;
  }

  private async traced<T>(event: string, handle: () => Promise<T>): Promise<Ack<T>> {
    return ok(await this.tracing.trace(`socket ${event}`, { kind: 'server' }, handle));
  }

  /** Identifies a socket by the session of its handshake, before its first event. */
  private async identifySocket(server: ChatServer, socket: ChatSocket): Promise<void> {
    Object.assign(socket.data, await this.identities.resolveHandshake(socket.request, socket.handshake.auth));
    const { owner } = socket.data.identity;
    const room = ownerRoom(owner);
    if ((server.sockets.adapter.rooms.get(room)?.size ?? 0) >= SOCKETS_PER_OWNER) throw new AppError('rate_limited');
    await socket.join(room);
    await this.sockets.announceSocket(owner);
    releaseHandshake(socket);
    this.screen.attach(socket);
  }

  /** Socket.IO sends the `data` of this error to the client. */
  private connectError(thrown: unknown): Error {
    const error = toAppError(thrown);
    const id = requestId(undefined);
    if (error.status >= 500) {
      this.logger.error({ err: error.cause ?? error, requestId: id, code: error.code }, 'socket handshake failed');
    }
    return Object.assign(new Error(error.message), { data: toErrorBody(error, id) });
  }
}

/** Releases the handshake's request, which takes as much memory as the socket itself. */
function releaseHandshake(socket: ChatSocket): void {
  Object.assign(socket.conn, { request: null });
  Object.assign(socket, { handshake: null });
}
