import type { Ack, GenerationApproved, GenerationResumed, GenerationStarted, GenerationStopped } from '@tanya/contract';
import { Inject, UseFilters } from '@nestjs/common';
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
import { groupsChanged } from '../../access/access-topics.js';
import { Bus } from '../../platform/bus/bus.js';
import { ownerRoom, userOwner } from '../../identity/identity.js';
import { QuotaService } from '../../quota/quota.service.js';
import { ApprovalsService } from '../generation/approvals.service.js';
import { GenerationStopper } from '../generation/end/generation-stopper.js';
import { GenerationService } from '../generation/generation.service.js';
import { ResumeService } from '../generation/resume.service.js';
import {
  GenerationApproveDto,
  GenerationRegenerateDto,
  GenerationResumeDto,
  GenerationStartDto,
  GenerationStopDto,
} from './chat.dto.js';
import { requireContent } from './outgoing-message.js';
import { type ChatServer, type ChatSocket, OwnerSockets, threadRoom } from '../sockets/owner-sockets.js';
import { SocketErrorFilter } from './socket-error.filter.js';
import { SocketScreen } from './socket-screen.js';
import { SocketSessions } from './socket-sessions.js';
import { planChanged, profileChanged } from '../../identity/identity-topics.js';
import { connectionsChanged } from '../../connections/connections-topics.js';
import { settingsChanged } from '../../settings/settings-topics.js';
import { modelsChanged } from '../../models/models-topics.js';
import { projectChanged } from '../../projects/project-changes.js';

/** Maximum of open sockets of one owner on this node. */
const SOCKETS_PER_OWNER = 50;

const ok = <T>(data: T): Ack<T> => ({ ok: true, data });

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
    private readonly approvals: ApprovalsService,
    private readonly resumes: ResumeService,
    private readonly sockets: OwnerSockets,
    private readonly quotas: QuotaService,
    private readonly bus: Bus,
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
    this.bus.subscribe(planChanged, (plan) => this.sendPlan(server, plan));
    this.bus.subscribe(groupsChanged, ({ userIds }) => this.sendGroups(server, userIds));
    this.bus.subscribe(profileChanged, ({ userId }) => {
      server.local.to(ownerRoom(userOwner(userId))).emit('settings:changed');
    });
    // A connection may end the demo, which the public settings show.
    for (const changed of [settingsChanged, connectionsChanged])
      this.bus.subscribe(changed, () => void server.local.emit('settings:changed'));
    this.bus.subscribe(projectChanged, ({ projectId, userIds }) => {
      const rooms = userIds.map((userId) => ownerRoom(userOwner(userId)));
      // To no room would be to all.
      if (rooms.length > 0) server.local.to(rooms).emit('project:changed', { projectId });
    });
    this.bus.subscribe(modelsChanged, () => void server.local.emit('models:changed'));
  }

  @SubscribeMessage('generation:start')
  async start(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationStartDto,
  ): Promise<Ack<GenerationStarted>> {
    return this.traced('generation:start', async () => {
      const identity = await this.sessions.identify(socket);
      const content = requireContent(payload.content);
      return this.shownBy(socket, await this.generations.send(identity, { ...payload, content }));
    });
  }

  @SubscribeMessage('generation:regenerate')
  async regenerate(
    @ConnectedSocket() socket: ChatSocket,
    @MessageBody() payload: GenerationRegenerateDto,
  ): Promise<Ack<GenerationStarted>> {
    return this.traced('generation:regenerate', async () =>
      this.shownBy(socket, await this.generations.regenerate(await this.sessions.identify(socket), payload)),
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
    return ok({ status: await this.approvals.decide(owner, payload) });
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
  private async shownBy(socket: ChatSocket, started: GenerationStarted): Promise<GenerationStarted> {
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
    await this.sockets.announce(owner);
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

  /**
   * Sends the quota after a change of plan, quota or usage to the user's sockets on this node. `settings:changed` makes the
   * page read its user again: an equal quota or a changed role would not.
   */
  private async sendPlan(server: ChatServer, { userId }: { userId: number }): Promise<void> {
    const owner = userOwner(userId);
    const room = ownerRoom(owner);
    if (!server.sockets.adapter.rooms.has(room)) return;
    server.local.to(room).emit('settings:changed');
    server.local
      .to(room)
      .emit('quota:changed', await this.quotas.quotaOf({ owner, ...(await this.quotas.planOf(owner)) }));
  }

  private async sendGroups(server: ChatServer, userIds: number[] | null): Promise<void> {
    for (const userId of userIds ?? []) await this.sendPlan(server, { userId });
    if (userIds === null) server.local.emit('settings:changed');
  }
}

/** Releases the handshake's request, which takes as much memory as the socket itself. */
function releaseHandshake(socket: ChatSocket): void {
  Object.assign(socket.conn, { request: null });
  Object.assign(socket, { handshake: null });
}
