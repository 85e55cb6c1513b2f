import { randomUUID } from 'node:crypto';
import {
  type ModelKind,
  type ModelPricing,
  type ReasoningEffort,
  SENDABLE_KINDS,
  type UsageChannel,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { type ChatModel, ModelsService } from '../../../models/models.service.js';
import { AppError, invalidField } from '../../../platform/errors/app-error.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { RESOURCES, type Resources } from '../../../platform/platform.module.js';
import { verdictOf } from '../../../access/may.js';
import { type Asker, planNameOf } from '../../../identity/identity.js';
import { ProviderRegistry } from '../../../providers/registry.js';
import { BudgetService } from '../../../quota/budget.service.js';
import { FreeStops } from '../../../quota/free-stops.js';
import { type QuotaAccount, QuotaService } from '../../../quota/quota.service.js';
import { OrphanReaper } from '../../nodes/orphan-reaper.js';
import { Pricing } from '../../../models/pricing.js';
import { RunRegistry } from '../live/run-registry.js';
import { maxRunningOf, type OpenGeneration } from '../store/generation-store.js';
import { AdmissionStore, type InsertedAnswer, type NewTurn } from './admission-store.js';
import type { AdmissionParameters } from './admit-send.sql.js';
import type { RequestInAdmission } from './idempotency.js';
import { SendRateLimiter } from './send-rate-limiter.js';

/** A generation to admit. */
export interface NewGeneration {
  model: ChatModel;
  channel: UsageChannel;
  reasoningEffort?: ReasoningEffort;
  /** Of the prompt, estimated; null for a caller without a budget. */
  promptTokens: number | null;
  /** Tokens of the answer; 0 for a call that writes no text. */
  maxTokens?: number;
  /** Answers to the request, each of which costs its messages and USD; 1 by default. */
  choices?: number;
}

/** A generation that is committed, and what its admission has fixed for the run. */
export interface AdmittedGeneration {
  generationId: string;
  /** The prices of the model; null when unknown. */
  pricing: ModelPricing | null;
  isBudgeted: boolean;
  account: QuotaAccount;
}

export type AdmittedAnswer = AdmittedGeneration & InsertedAnswer;

/** Decides whether a request gets an answer: `gate` refuses most of the refused without Postgres, then the statement that admits decides. */
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
    private readonly store: AdmissionStore,
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
   * Counts the send, and refuses an owner whose quota is spent.
   * @param choices answers to the request
   * @throws AppError `shutting_down`, `rate_limited`, `quota_exceeded`
   */
  async gate(request: RequestInAdmission, model: ChatModel, choices?: number): Promise<void> {
    this.requireOpen();
    // Both checks share one round trip to Redis. When both refuse, the rate limit is reported.
    const checks = [request.count(), this.quotas.gate(request.asker, this.costOf(model, choices))];
    for (const check of await Promise.allSettled(checks)) if (check.status === 'rejected') throw check.reason;
  }

  /**
   * Admits an answer of a thread, with the thread and the messages of its turn.
   * @throws AppError as `admitDetached`, and `thread_busy`, `not_found`
   */
  admitTurn(request: RequestInAdmission, turn: NewTurn, generation: NewGeneration): Promise<AdmittedAnswer> {
    return this.admit(request, generation, (parameters) => this.insertTurn(parameters, turn));
  }

  /**
   * Admits a generation without a thread.
   * @throws AppError `account_suspended`, `rate_limited`, `quota_exceeded`, `budget_exceeded`, `budget_too_small`,
   *   `price_unknown`, `conflict`
   */
  admitDetached(request: RequestInAdmission, generation: NewGeneration): Promise<AdmittedGeneration> {
    return this.admit(request, generation, async (parameters) => ({
      account: await this.store.insertDetached(parameters),
    }));
  }

  /**
   * Holds the quota and the budgets, and inserts the generation: all or nothing, as a rule in one statement. That also bounds
   * the running generations of the owner.
   */
  private async admit<Inserted extends Pick<InsertedAnswer, 'account'>>(
    request: RequestInAdmission,
    { model, promptTokens, maxTokens, choices, ...given }: NewGeneration,
    insert: (parameters: AdmissionParameters) => Promise<Inserted>,
  ): Promise<Inserted & AdmittedGeneration> {
    const { asker, key } = request;
    const { modelId, contextLength, kind } = model;
    const pricing = this.pricing.pricesOf(model);
    const images = kind === 'image' ? 1 : 0;
    const expected = promptTokens === null ? null : { promptTokens, maxTokens, choices, contextLength, images };
    const budgetTerms = expected && this.budgets.holdTermsJson(asker, pricing, expected);
    const cost = this.costOf(model, choices);
    const refundGuest = await this.quotas.countGuest(asker, cost);
    const generationId = this.tracing.takeTraceId() ?? randomUUID();
    const parameters: AdmissionParameters = {
      generationId,
      owner: asker.owner,
      userId: asker.userId,
      clientMessageId: key.clientMessageId,
      requestHash: key.requestHash,
      modelId,
      reasoningEffort: given.reasoningEffort ?? null,
      isDemo: this.providers.isDemo(model),
      cost,
      ...this.quotas.quotaTerms(asker),
      maxRunning: maxRunningOf(asker.owner),
      nodeId: this.nodeId,
      plan: planNameOf(asker),
      channel: given.channel,
      apiKeyId: asker.apiKey?.id ?? null,
      budgetTerms,
    };
    try {
      // A shutdown waits for what is reserved.
      this.requireOpen();
      request.keep(this.registry.reserve(generationId));
      const inserted = await insert(parameters);
      void this.quotas.noteAdmission(asker, inserted.account);
      return { ...inserted, generationId, pricing, isBudgeted: budgetTerms !== null };
    } catch (error) {
      await refundGuest();
      throw error;
    }
  }

  /** Inserts once more after it has ended a generation of a dead node that keeps the thread busy. */
  private async insertTurn(parameters: AdmissionParameters, turn: NewTurn): Promise<InsertedAnswer> {
    try {
      return await this.store.insertAnswer(parameters, turn);
    } catch (error) {
      const isBusy = error instanceof AppError && error.code === 'thread_busy';
      if (!isBusy || turn.kind === 'new-thread' || !(await this.orphans.freeThread(turn.threadId))) throw error;
      return this.store.insertAnswer(parameters, turn);
    }
  }

  /**
   * Checks rate limits, running answers and quota before answers are stopped for another one, because a refusal must not cut
   * an answer short. Counts nothing; `gate` and the admission decide later, also about budgets.
   * @param stopped the generations that will be stopped. A free stop before any output gives its messages back
   * @throws AppError `shutting_down`, `rate_limited`, `quota_exceeded`
   */
  async checkBeforeStop(asker: Asker, model: ChatModel, stopped: readonly OpenGeneration[]): Promise<void> {
    this.requireOpen();
    await this.rateLimiter.checkAll(asker);
    await this.quotas.checkGuest(asker, this.costOf(model));
    await this.store.checkRunning(asker.owner, stopped.filter(({ status }) => status === 'streaming').length);
    const isFree = await this.freeStops.isLeft(asker);
    const released = isFree ? stopped.reduce((messages, row) => messages + this.releasedBy(row), 0) : 0;
    await this.quotas.gate(asker, this.costOf(model) - released);
  }

  /** Messages that a stop of a generation gives back; 0 for a run of another node. */
  private releasedBy({ id, modelId }: OpenGeneration): number {
    const run = this.registry.find(id);
    const model = this.models.find(modelId);
    return run === undefined || run.parts.areVisible || model === null ? 0 : this.quotas.costOf(model);
  }

  /** Messages of the quota. */
  private costOf(model: ChatModel, choices = 1): number {
    return this.quotas.costOf(model) * choices;
  }

  private requireOpen(): void {
    if (this.registry.isDraining) throw new AppError('shutting_down');
  }
}
