import { randomUUID } from 'node:crypto';
import { type ModelKind, type ModelPricing, type ReasoningEffort, SENDABLE_KINDS } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { type ChatModel, ModelsService } from '../../../models/models.service.js';
import { AppError, invalidField } from '../../../platform/errors/app-error.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { RESOURCES, type Resources } from '../../../platform/platform.module.js';
import { verdictOf } from '../../../access/may.js';
import type { Asker } from '../../../identity/identity.js';
import { ProviderRegistry } from '../../../providers/registry.js';
import { BudgetService } from '../../../quota/budget.service.js';
import { FreeStops } from '../../../quota/free-stops.js';
import { QuotaService } from '../../../quota/quota.service.js';
import { OrphanReaper } from '../end/orphan-reaper.js';
import { Pricing } from '../../../models/pricing.js';
import { RunRegistry } from '../live/run-registry.js';
import { type GenerationRow, GenerationStore } from '../store/generation-store.js';
import {
  type AdmittedAnswer,
  type AdmittedGeneration,
  AdmissionStore,
  type NewAnswer,
  type NewGeneration,
} from './admission-store.js';
import type { CountSend } from './idempotency.js';
import { SendRateLimiter } from './send-rate-limiter.js';

interface AdmissionRequest extends Omit<NewGeneration, 'id' | 'asker' | 'cost' | 'budgetTerms' | 'nodeId' | 'isDemo'> {
  /** Counts the send. */
  count: CountSend;
  /** Estimates the tokens of the prompt. Called only for a caller with a budget. */
  promptTokens: () => number | Promise<number>;
  /** Tokens of the answer; 0 for a call that writes no text. */
  maxTokens?: number;
  /** Answers to the request, each of which costs its messages and USD; 1 by default. */
  choices?: number;
  /** True for a call that is not chat, such as embeddings: it is passed on to a connection. */
  isRelayed?: boolean;
}

/** A request for the answer to a message of a thread. */
export interface AnswerRequest extends AdmissionRequest, Pick<NewAnswer, 'turn' | 'attach'> {}

/** What an admission has fixed for the run. */
interface AdmittedTerms {
  generationId: string;
  /** The prices of the model; null when unknown. */
  pricing: ModelPricing | null;
  isBudgeted: boolean;
}

/**
 * Decides whether a request gets an answer: counts the send and checks the quota counter in one round trip, counts the guest
 * limits, then runs the statement that decides.
 */
@Injectable()
export class AdmissionControl {
  private readonly nodeId: string;

  constructor(
    @Inject(RESOURCES) resources: Resources,
    private readonly models: ModelsService,
    private readonly providers: ProviderRegistry,
    private readonly quotas: QuotaService,
    private readonly budgets: BudgetService,
    private readonly rateLimiter: SendRateLimiter,
    private readonly admissions: AdmissionStore,
    private readonly store: GenerationStore,
    private readonly registry: RunRegistry,
    private readonly orphans: OrphanReaper,
    private readonly pricing: Pricing,
    private readonly tracing: Tracing,
    private readonly freeStops: FreeStops,
  ) {
    this.nodeId = resources.nodeId;
  }

  /**
   * @param kinds of models that the call may use; those of chats by default
   * @throws AppError `model_unavailable`, also for a model that the asker does not know of, `model_premium`
   */
  usableModel(asker: Asker, modelId: string, kinds: readonly ModelKind[] = SENDABLE_KINDS): ChatModel {
    const model = this.models.find(modelId);
    const verdict = model === null ? 'refused' : verdictOf(asker, { model, kinds });
    if (model === null || verdict === 'refused') throw new AppError('model_unavailable');
    if (verdict === 'premium') throw new AppError('model_premium');
    return model;
  }

  /** @throws AppError `invalid` for an effort that the model does not support */
  requireEffort(model: ChatModel, effort: ReasoningEffort | undefined): void {
    if (effort === undefined || model.reasoningEfforts?.includes(effort)) return;
    throw invalidField(
      'reasoningEffort',
      'This model does not support this reasoning effort. Please choose another effort or model.',
    );
  }

  /**
   * Checks rate limit and quota before running answers are stopped for another one, because a refusal must not cut an answer
   * short. Counts nothing; `admit` decides later, also about budgets.
   * @param stopped the generations that will be stopped. A free stop before any output gives its messages back
   * @throws AppError `shutting_down`, `rate_limited`, `quota_exceeded`
   */
  async checkBeforeStop(asker: Asker, model: ChatModel, stopped: readonly GenerationRow[]): Promise<void> {
    this.requireOpen();
    await this.rateLimiter.checkAll(asker);
    const isFree = await this.freeStops.isLeft(asker);
    const released = isFree ? stopped.reduce((messages, row) => messages + this.releasedBy(row), 0) : 0;
    await this.quotas.gate(asker, this.quotas.costOf(model) - released);
  }

  /** Messages that a stop of a generation gives back; 0 for a run of another node. */
  private releasedBy({ id, model_id: modelId }: GenerationRow): number {
    const run = this.registry.find(id);
    const model = this.models.find(modelId);
    return run === undefined || run.parts.areVisible || model === null ? 0 : this.quotas.costOf(model);
  }

  /**
   * Holds the quota and the budgets, and inserts a generation without a thread.
   * @throws AppError `shutting_down`, `account_suspended`, `rate_limited`, `quota_exceeded`,
   * `budget_exceeded`, `price_unknown`, `conflict`
   */
  admitDetached(
    asker: Asker,
    model: ChatModel,
    request: AdmissionRequest,
  ): Promise<AdmittedGeneration & AdmittedTerms> {
    return this.admit(asker, model, request, (generation) => this.admissions.insertDetached(generation));
  }

  /** The same for an answer in a thread, with its messages. @throws AppError also `thread_busy`, `not_found` */
  admitAnswer(
    asker: Asker,
    model: ChatModel,
    { turn, attach, ...request }: AnswerRequest,
  ): Promise<AdmittedAnswer & AdmittedTerms> {
    return this.admit(asker, model, request, (generation) => this.insertFreeingThread({ ...generation, turn, attach }));
  }

  private admit<Admitted extends AdmittedGeneration>(
    asker: Asker,
    model: ChatModel,
    request: AdmissionRequest,
    insert: (generation: NewGeneration) => Promise<Admitted>,
  ): Promise<Admitted & AdmittedTerms> {
    const attributes = { 'tanya.channel': request.channel };
    return this.tracing.span('admission', { attributes }, async () => {
      this.requireOpen();
      const cost = this.quotas.costOf(model) * (request.choices ?? 1);
      // Both checks share one round trip to Redis. When both refuse, the rate limit is reported.
      const [count, gate] = await Promise.allSettled([request.count(), this.quotas.gate(asker, cost)]);
      if (count.status === 'rejected') throw count.reason;
      if (gate.status === 'rejected') throw gate.reason;
      return this.holdAndInsert(asker, model, request, cost, insert);
    });
  }

  private async holdAndInsert<Admitted extends AdmittedGeneration>(
    asker: Asker,
    model: ChatModel,
    { promptTokens, maxTokens, choices, isRelayed, count: _, ...request }: AdmissionRequest,
    cost: number,
    insert: (generation: NewGeneration) => Promise<Admitted>,
  ): Promise<Admitted & AdmittedTerms> {
    const pricing = this.pricing.pricesOf(model, isRelayed);
    const budgetTerms = await this.budgets.holdTerms(asker, pricing, async () => ({
      promptTokens: await promptTokens(),
      maxTokens,
      choices,
      contextLength: model.contextLength,
      isImage: model.isImage,
    }));
    const refundGuest = await this.quotas.countGuest(asker);
    const isDemo = this.providers.isDemo(model);
    const id = this.tracing.takeTraceId() ?? randomUUID();
    this.registry.reserve(id);
    try {
      const own = { id, asker, cost, budgetTerms, isDemo, nodeId: this.nodeId };
      const admitted = await insert({ ...request, ...own });
      void this.quotas.admitted(asker, admitted.account);
      return { ...admitted, generationId: id, pricing, isBudgeted: budgetTerms !== null };
    } catch (error) {
      this.registry.release(id);
      await refundGuest();
      throw error;
    }
  }

  /** Retries once after it has ended a generation of a dead node that keeps the thread busy. */
  private async insertFreeingThread(generation: NewAnswer): Promise<AdmittedAnswer> {
    try {
      return await this.admissions.insertAnswer(generation);
    } catch (error) {
      const { turn } = generation;
      const threadId = 'threadId' in turn ? turn.threadId : null;
      if (!(error instanceof AppError) || error.code !== 'thread_busy' || threadId === null) throw error;
      const running = await this.store.openGenerations({ threadIds: [threadId] });
      // The reaper may have ended it since the refusal.
      let isFreed = running.length === 0;
      for (const row of running) {
        isFreed = (await this.orphans.finalizeIfDead(row)) !== null || isFreed;
      }
      if (!isFreed) throw error;
      return this.admissions.insertAnswer(generation);
    }
  }

  private requireOpen(): void {
    if (this.registry.isDraining) throw new AppError('shutting_down');
  }
}
