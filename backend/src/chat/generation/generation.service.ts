import { createHash, randomUUID } from 'node:crypto';
import type {
  GenerationRegeneratePayload,
  GenerationResumed,
  GenerationStarted,
  MessageStatus,
  OutgoingMessage,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { FilesService } from '../../files/files.service.js';
import { type ChatModel, ModelsService } from '../../models/models.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Bus } from '../../platform/redis/bus.js';
import type { Identity, Owner } from '../../platform/session/identity.js';
import { RESOURCES, type Resources } from '../../platform/platform.module.js';
import { withTimeout } from '../../platform/net/with-timeout.js';
import { QuotaService } from '../../quota/quota.service.js';
import { ChatEvents } from './chat-events.js';
import { ConversationService } from './conversation.service.js';
import { type Admitted, GenerationAdmission, type NewGeneration, type MessageTarget } from './generation-admission.js';
import { ResumeService } from './log/resume.service.js';
import { GenerationEngine } from './generation-engine.js';
import type { Ending, GenerationRun, RunSpec } from './generation-run.js';
import { type GenerationRow, GenerationStore } from './generation-store.js';
import { Idempotency } from './idempotency.js';
import { automaticTitle, toStoredContent } from '../messages/message-content.js';
import { NodeService } from '../nodes/node.service.js';
import { SendRateLimiter } from './send-rate-limiter.js';
import { ThreadStore } from '../messages/thread-store.js';
import { TitleWriter } from './title-writer.js';

/** A send as every transport hands it in. */
export interface StartCommand {
  clientMessageId: string;
  threadId: number | null;
  model: string;
  content: OutgoingMessage;
  editOf?: number;
}

/** Answers that may be written at once. */
const CONCURRENT = { user: 20, guest: 3 };

/** How often a wait for another node looks, ms. */
const POLL = 200;

/** A stop that Postgres does not take is refused after this, ms; the run ends as soon as it does. */
const STOP_TIMEOUT_MS = 10_000;

/** A generation of another node is waited for at most this long, ms; its own timeouts end it before. */
const LONGEST_ANSWER = 30 * 60 * 1000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const hashOf = (parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** What a caller still knows of a generation after it was admitted. */
export interface Started {
  started: GenerationStarted;
  /** null when it runs elsewhere or has ended. */
  run: GenerationRun | null;
}

/** An answer of the public API, before it begins. */
export interface DetachedRequest extends Pick<RunSpec, 'prompt' | 'sampling' | 'maxTokens'> {
  clientMessageId: string;
  requestHash: string;
  modelId: string;
}

export interface DetachedStart {
  generationId: string;
  /** null when it runs elsewhere or has ended. */
  run: GenerationRun | null;
  /** False for the answer of an earlier request with the same id. */
  isOwn: boolean;
}

/**
 * The one way to begin, stop and resume a generation; socket, REST and public API all come through here.
 */
@Injectable()
export class GenerationService {
  private readonly nodeId: string;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(RESOURCES) resources: Resources,
    private readonly store: GenerationStore,
    private readonly requests: Idempotency,
    private readonly admission: GenerationAdmission,
    private readonly threads: ThreadStore,
    private readonly engine: GenerationEngine,
    private readonly resumes: ResumeService,
    private readonly conversations: ConversationService,
    private readonly models: ModelsService,
    private readonly quotas: QuotaService,
    private readonly files: FilesService,
    private readonly sendLimiter: SendRateLimiter,
    private readonly nodes: NodeService,
    private readonly titles: TitleWriter,
    private readonly events: ChatEvents,
    private readonly bus: Bus,
  ) {
    this.nodeId = resources.nodeId;
  }

  /**
   * Admits a send and begins to write its answer. The same clientMessageId gets the same answer again, free of quota.
   * @throws AppError `not_found`, `model_unavailable`, `model_premium`, `rate_limited`, `quota_exceeded`, `thread_busy`, `idempotency_mismatch`
   */
  async start(identity: Identity, command: StartCommand): Promise<Started> {
    const { clientMessageId, threadId, content, editOf } = command;
    const requestHash = hashOf([threadId, toStoredContent(content), editOf ?? null]);
    return this.once(identity, { clientMessageId, requestHash }, async () => {
      const target = await this.target(identity, command);
      const attach = (manager: EntityManager, thread: number) =>
        this.files.attach(manager, identity.owner, content, thread);
      return this.begin(identity, { clientMessageId, requestHash, modelId: command.model, target, attach });
    });
  }

  /** Writes another answer to the same user message; the one that is there stays as a version. */
  async regenerate(identity: Identity, payload: GenerationRegeneratePayload): Promise<Started> {
    const { clientMessageId, messageId, model } = payload;
    const requestHash = hashOf(['regenerate', messageId, model ?? null]);
    return this.once(identity, { clientMessageId, requestHash }, async () => {
      const answer = await this.threads.answer(identity.owner, messageId);
      if (answer === null) throw new AppError('not_found');
      this.usableModel(identity, model ?? answer.modelId);
      for (const running of await this.store.running({ threadId: answer.threadId })) await this.stopRow(running);
      const target: MessageTarget = {
        kind: 'regenerate',
        threadId: answer.threadId,
        userMessageId: answer.userMessageId,
      };
      return this.begin(identity, { clientMessageId, requestHash, modelId: model ?? answer.modelId, target });
    });
  }

  /** Ends a generation; does nothing to one that has ended. @throws AppError `not_found` */
  async stop(owner: Owner, generationId: string): Promise<MessageStatus> {
    const row = await this.store.find(owner, generationId);
    if (row === null) throw new AppError('not_found');
    return this.stopRow(row);
  }

  /** Ends everything of a thread or an owner before it is deleted. */
  async stopAll(where: { threadId: number } | { owner: Owner }): Promise<void> {
    for (const row of await this.store.running(where)) await this.stopRow(row);
  }

  /** What a page has missed of a generation. @throws AppError `not_found` for somebody else's */
  resume(owner: Owner, generationId: string, afterSeq: number): Promise<GenerationResumed> {
    return this.resumes.after(owner, generationId, afterSeq);
  }

  /** Waits for the end of a generation, wherever it runs. */
  async ended(generationId: string): Promise<MessageStatus> {
    const run = this.engine.find(generationId);
    if (run !== undefined) await run.ended;
    for (const deadline = Date.now() + LONGEST_ANSWER; ; await sleep(POLL)) {
      const status = await this.store.status(generationId);
      if (status === null) throw new AppError('not_found');
      if (status !== 'streaming' || Date.now() > deadline) return status;
    }
  }

  /**
   * Begins what belongs to no thread: an answer of the public API. The same id gets the same answer again, unless that
   * one failed.
   */
  startDetached(identity: Identity, request: DetachedRequest): Promise<DetachedStart> {
    return this.requests.once(
      { owner: identity.owner, ...request },
      () => this.beginDetached(identity, request),
      async (row) => {
        if (await this.store.forgetFailed(row.id)) return null;
        return { generationId: row.id, run: this.engine.find(row.id) ?? null, isOwn: false };
      },
    );
  }

  private async beginDetached(identity: Identity, request: DetachedRequest): Promise<DetachedStart> {
    const { clientMessageId, requestHash, modelId, prompt, sampling, maxTokens } = request;
    const model = this.usableModel(identity, modelId);
    const admission = { clientMessageId, requestHash, modelId, target: null };
    const { id } = (await this.admit(identity, model, admission)).generation;
    const run = this.engine.launch({
      generationId: id,
      spender: identity,
      modelId,
      target: null,
      prompt,
      sampling,
      maxTokens,
    });
    return { generationId: id, run, isOwn: true };
  }

  private once(
    identity: Identity,
    request: Pick<NewGeneration, 'clientMessageId' | 'requestHash'>,
    begin: () => Promise<Started>,
  ): Promise<Started> {
    return this.requests.once({ owner: identity.owner, ...request }, begin, async (row) => ({
      started: await this.repeat(identity, row),
      run: this.engine.find(row.id) ?? null,
    }));
  }

  private async repeat(identity: Identity, row: GenerationRow): Promise<GenerationStarted> {
    const { thread_id, user_message_id, message_id } = row;
    const userMessage = user_message_id === null ? null : await this.store.message(user_message_id);
    const aiMessage = message_id === null ? null : await this.store.message(message_id);
    if (thread_id === null || userMessage === null || aiMessage === null) throw new AppError('not_found');
    const quota = await this.quotas.quotaOf(identity);
    return { threadId: thread_id, generationId: row.id, userMessage, aiMessage, quota, duplicate: true };
  }

  private async target(identity: Identity, { threadId, content, editOf }: StartCommand): Promise<MessageTarget> {
    const stored = toStoredContent(content);
    if (threadId === null) {
      if (editOf !== undefined) throw new AppError('not_found');
      const expiresAt = identity.userId === null ? new Date(Date.now() + this.timings.guestThread) : null;
      return { kind: 'new-thread', title: automaticTitle(content), content: stored, expiresAt };
    }
    if ((await this.threads.find(identity.owner, threadId)) === null) throw new AppError('not_found');
    if (editOf === undefined) return { kind: 'reply', threadId, content: stored };
    const edited = await this.threads.userMessage(threadId, editOf);
    if (edited === null) throw new AppError('not_found');
    return { kind: 'reply', threadId, content: stored, parentId: edited.parentId };
  }

  private async begin(
    identity: Identity,
    request: Omit<NewGeneration, 'id' | 'spender' | 'cost' | 'nodeId'>,
  ): Promise<Started> {
    const model = this.usableModel(identity, request.modelId);
    const { generation, admitted } = await this.admit(identity, model, request);
    const messages = admitted.messages!;
    const { threadId, userMessage, aiMessage } = messages;
    const run = this.engine.launch({
      generationId: generation.id,
      spender: identity,
      modelId: request.modelId,
      target: { threadId, messageId: aiMessage.id },
      prompt: (owner, shrink) => this.conversations.prompt(owner, userMessage.id, model.contextLength, shrink),
    });
    const quota = this.quotas.viewOf(admitted.account, identity);
    this.events.emit(identity.owner, 'thread:changed', { threadId });
    this.events.emit(identity.owner, 'quota:changed', quota);
    if (request.target?.kind === 'new-thread') {
      void run.ended.then((ending: Ending) =>
        this.titles.suggest(run.owner, threadId, request.modelId, userMessage, ending),
      );
    }
    return { started: { threadId, generationId: generation.id, userMessage, aiMessage, quota }, run };
  }

  private async admit(
    identity: Identity,
    model: ChatModel,
    request: Omit<NewGeneration, 'id' | 'spender' | 'cost' | 'nodeId'>,
  ): Promise<{ generation: NewGeneration; admitted: Admitted }> {
    if (this.engine.isDraining) throw new AppError('shutting_down');
    const cost = this.quotas.costOf(model);
    // Asked at once, so that Redis is waited for once; whoever is too fast is told that first.
    const answers = await Promise.allSettled([this.sendLimiter.count(identity), this.quotas.gate(identity, cost)]);
    const refused = answers.find((answer) => answer.status === 'rejected');
    if (refused) throw refused.reason;
    const giveBack = await this.quotas.countGuest(identity);
    const generation = { ...request, id: randomUUID(), spender: identity, cost, nodeId: this.nodeId };
    this.engine.reserve(generation.id);
    try {
      const admitted = await this.admitPastTheDead(
        generation,
        identity.userId === null ? CONCURRENT.guest : CONCURRENT.user,
      );
      await this.quotas.committed(admitted.account);
      return { generation, admitted };
    } catch (error) {
      this.engine.release(generation.id);
      await giveBack();
      // A copy of a send that was taken meanwhile counts for nothing.
      if (error instanceof AppError && error.code === 'conflict') await this.sendLimiter.giveBack(identity);
      throw error;
    }
  }

  /** A thread whose running answer belongs to a dead node is freed by the node that is asked. */
  private async admitPastTheDead(generation: NewGeneration, concurrent: number): Promise<Admitted> {
    try {
      return await this.admission.admit(generation, concurrent);
    } catch (error) {
      const threadId =
        generation.target !== null && 'threadId' in generation.target ? generation.target.threadId : null;
      if (!(error instanceof AppError) || error.code !== 'thread_busy' || threadId === null) throw error;
      let freed = false;
      for (const row of await this.store.running({ threadId })) {
        freed = (await this.nodes.interruptIfDead(row)) !== null || freed;
      }
      if (!freed) throw error;
      return this.admission.admit(generation, concurrent);
    }
  }

  private usableModel(identity: Identity, modelId: string): ChatModel {
    const model = this.models.find(modelId);
    if (model === null || !model.isEnabled) throw new AppError('model_unavailable');
    if (model.isPremium && !identity.isPremium && !identity.isAdmin) throw new AppError('model_premium');
    return model;
  }

  private async stopRow(row: GenerationRow): Promise<MessageStatus> {
    if (row.status !== 'streaming') return row.status;
    const run = this.engine.find(row.id);
    if (run !== undefined) {
      run.abort('stopped');
      const ending = await withTimeout(STOP_TIMEOUT_MS, run.ended);
      if (ending === undefined) throw new AppError('storage_unavailable');
      return ending.status;
    }
    const settled = await this.nodes.interruptIfDead(row);
    if (settled !== null) return settled;
    await this.bus.publish('generation:stop', { generationId: row.id });
    for (const deadline = Date.now() + this.timings.remoteStop; Date.now() < deadline; await sleep(POLL / 4)) {
      const status = await this.store.status(row.id);
      if (status !== 'streaming') return status ?? 'stopped';
    }
    return this.nodes.takeOver(row, 'stopped');
  }
}
