import {
  type ErrorCode,
  LIMITS,
  type ModelPricing,
  type QuotaPeriod,
  type ReasoningEffort,
  type TerminalStatus,
  type UsageChannel,
} from '@tanya/contract';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { BUDGET_COLUMNS, HOLD_BUDGETS } from '../budgets/budget-sql.js';
import { TIMINGS, type Timings } from '../config/timings.js';
import { type Asker, type PlanName, planNameOf, SITE_OWNER } from '../identity/identity.js';
import { type AnsweredBy, ModelMetrics } from '../models/model-metrics.js';
import type { ChatModel } from '../models/models.service.js';
import { Pricing } from '../models/pricing.js';
import { statement } from '../platform/database/named-parameters.js';
import { AppError } from '../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import { isTimeout, withDeadline } from '../platform/resilience/with-deadline.js';
import type { ProviderMessage } from '../providers/provider.js';
import { ProviderError } from '../providers/provider-error.js';
import { ProviderRegistry } from '../providers/registry.js';
import { estimateTokens, promptTokens } from '../providers/token-estimate.js';
import { SettingsService } from '../settings/settings.service.js';
import { BudgetService } from './budget.service.js';
import type { RecordedUsage } from './cost.js';
import type { ExpectedCall } from './hold-amount.js';
import { periodKey } from './quota-sql.js';
import { UsageMeter } from './usage-meter.js';

type CalledModel = Pick<ChatModel, 'modelId' | 'upstreamId' | 'connectionId' | 'contextLength'>;

/** A chat model as far as a call of the site is concerned. */
export type SiteModel = CalledModel & Pick<ChatModel, 'kind'> & Partial<Pick<ChatModel, 'reasoningEfforts'>>;

interface SiteCall {
  /** What the answer is for, for the log. */
  purpose: string;
  model: CalledModel;
  timeoutMs: number;
  /** The account or guest whose budgets hold the call and pay for it; absent, the site. */
  payer?: Asker;
  /** Ends the call. */
  signal?: AbortSignal;
}

export interface SiteEmbedding extends SiteCall {
  texts: readonly string[];
}

export interface SiteRequest extends SiteCall {
  model: Omit<SiteModel, 'kind'>;
  messages: ProviderMessage[];
  /** Tokens of the answer, reasoning included. */
  maxTokens: number;
  /** The answer is not read any further; reasoning without an answer is, up to the length of an answer in a chat. */
  maxCharacters: number;
  /** Whether an answer serves its purpose. One that does not is free for its payer. */
  isGood?: (answer: SiteAnswer) => boolean;
}

export interface SiteAnswer {
  /** Without reasoning; what had arrived of an answer that broke off. */
  text: string;
  /** Whether the answer ended, or was long enough. */
  isComplete: boolean;
  /** Whether it ended at a length: that of the model, `maxTokens` or `maxCharacters`. */
  isCut: boolean;
  /** Decimal string in USD; null when unknown. */
  costUsd: string | null;
  /** Why it is none; null for a good answer. */
  code: ErrorCode | null;
}

const NOTHING: SiteAnswer = { text: '', isComplete: false, isCut: false, costUsd: '0', code: 'interrupted' };

/** Only the installation's budget counts. */
const NOBODY = { userId: null, isPremium: false };

interface HeldCall {
  modelId: string;
  owner: string;
  userId: number | null;
  quotaPeriod: QuotaPeriod | null;
  plan: PlanName | 'site';
  channel: UsageChannel;
}

const insertHeld = (columns: string, from: string): string => `
  insert into usage_record (owner, user_id, period, model_id, cost, state, plan, channel${columns})
  select :owner, :userId::int, ${periodKey(':quotaPeriod::text')}, :modelId, 0, 'held', :plan, :channel${columns}
  from ${from} returning id`;

const insertFree = statement<HeldCall>(insertHeld('', '(select) once'));

const insertWithBudget = statement<HeldCall & { budgetTerms: string; apiKeyId: null }>(`
  with target as (select), budget as materialized (${HOLD_BUDGETS}) ${insertHeld(`, ${BUDGET_COLUMNS}`, 'budget')}`);

/** The trigger `usage_record_budget` settles the installation's budget with it, for a failed call too. */
const settle = statement<{ id: number; reason: TerminalStatus } & Omit<RecordedUsage, 'firstTokenMs'>>(`
  update usage_record set state = case when :reason::text = 'complete' then 'charged' else 'released' end,
    reason = :reason::text, settled_at = now(),
    prompt_tokens = :promptTokens::int, completion_tokens = :completionTokens::int,
    cached_tokens = :cachedTokens::int, reasoning_tokens = :reasoningTokens::int,
    cost_usd = :costUsd::numeric, cost_source = :costSource, answering_model = :answeringModel, total_ms = :totalMs::int
  where id = :id::bigint and state = 'held'`);

/**
 * Settles one record, of at least $1 ms. Two statements that settled several could lock the slots of the installation's
 * budget in different orders, and would wait for each other.
 */
const SETTLE_LEFT_OVER = `update usage_record set state = 'released', reason = 'interrupted', settled_at = now(),
    cost_source = 'unknown'
  where id = (select id from usage_record
    where generation_id is null and state = 'held' and created_at < now() - $1::int * interval '1 millisecond'
    limit 1 for update skip locked)
  returning id`;

/**
 * What is asked of models beside answers: titles and conversation ideas for the site, summaries for the owners of threads,
 * vectors of the texts of projects.
 * Each call has a record of its own in the ledger, under the owner `site` or its payer, counts in the budgets of the
 * installation and of the payer, and takes no message of anybody's quota.
 */
@Injectable()
export class SiteCalls implements OnModuleDestroy {
  private readonly shutdown = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly providers: ProviderRegistry,
    private readonly pricing: Pricing,
    private readonly budgets: BudgetService,
    private readonly metrics: ModelMetrics,
    private readonly settings: SettingsService,
    background: BackgroundWork,
  ) {
    background.repeat('settlement of calls of the site', timings.siteCall, async () => {
      for (let settled = 1; settled > 0;)
        [, settled] = await dataSource.query<[unknown, number]>(SETTLE_LEFT_OVER, [timings.siteCall]);
    });
  }

  /** Aborts the running calls and waits until they are settled. */
  async onModuleDestroy(): Promise<void> {
    this.shutdown.abort();
    await Promise.allSettled(this.running);
  }

  /**
   * Asks a chat model. With a spent budget, or with a budget and a model of unknown price, it asks nothing and returns an
   * empty answer. A failure of the provider is logged.
   * @throws an error of the database
   */
  async ask(request: SiteRequest): Promise<SiteAnswer> {
    if (this.shutdown.signal.aborted) return NOTHING;
    return this.untilSettled(this.askHeld(request));
  }

  /**
   * Embeds texts.
   * @returns the answer in JSON as OpenAI sends it, with vectors in base64
   * @throws AppError for a budget that refuses the call, ProviderError, the reason of the signal, an error of the database
   */
  embed(request: SiteEmbedding): Promise<Buffer> {
    return this.untilSettled(this.embedHeld(request));
  }

  private async untilSettled<R>(call: Promise<R>): Promise<R> {
    this.running.add(call);
    try {
      return await call;
    } finally {
      this.running.delete(call);
    }
  }

  private async embedHeld(request: SiteEmbedding): Promise<Buffer> {
    const { model, texts, timeoutMs, signal } = request;
    const ends = this.endsOf(signal);
    ends.throwIfAborted();
    const pricing = this.pricing.pricesOf({ ...model, kind: 'embedding' });
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const id = await this.holdAndRecord(request, pricing, { promptTokens: tokens, maxTokens: 0 });
    const startedAt = performance.now();
    const meter = new UsageMeter(pricing);
    const by: AnsweredBy = { modelId: model.modelId, connection: undefined };
    let code: ErrorCode | null = null;
    try {
      const { provider, model: ownId, connection } = this.providers.route({ ...model, kind: 'embedding' });
      by.connection = connection?.name;
      const body = { model: ownId, input: texts, encoding_format: 'base64' };
      const { json, usage } = await withDeadline(timeoutMs, ends, (end) => provider.embed(body, end));
      if (usage === null) meter.estimateUnlessFree(null, () => tokens);
      else meter.report(usage);
      return json;
    } catch (error) {
      const failure = isTimeout(error) ? new ProviderError('timeout_first_token') : error;
      meter.estimateUnlessFree(failure, () => tokens);
      code = codeOf(failure, ends);
      throw failure;
    } finally {
      const totalMs = Math.round(performance.now() - startedAt);
      this.metrics.ended({ ...meter.result, code }, by);
      await this.dataSource.query(...settle({ id, reason: reasonOf(code, signal), ...meter.result, totalMs }));
    }
  }

  private endsOf(stop: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any([this.shutdown.signal, ...(stop === undefined ? [] : [stop])]);
  }

  private async askHeld(request: SiteRequest): Promise<SiteAnswer> {
    const { model, messages, maxTokens } = request;
    const pricing = this.pricing.pricesOf({ ...model, kind: 'chat' });
    let id: number;
    try {
      id = await this.holdAndRecord(request, pricing, { promptTokens: promptTokens(messages), maxTokens });
    } catch (error) {
      if (error instanceof AppError) return { ...NOTHING, code: error.code };
      throw error;
    }
    const startedAt = performance.now();
    const meter = new UsageMeter(pricing);
    const by: AnsweredBy = { modelId: request.model.modelId, connection: undefined };
    const read = await this.read(request, meter, by);
    const { costUsd } = meter.result;
    const answer = { ...read, costUsd };
    const isGood = answer.isComplete && (request.isGood?.(answer) ?? true);
    const totalMs = Math.round(performance.now() - startedAt);
    this.metrics.ended({ ...meter.result, code: answer.code }, by);
    const code = isGood ? null : (answer.code ?? 'provider_error');
    await this.dataSource.query(...settle({ id, reason: reasonOf(code, request.signal), ...meter.result, totalMs }));
    return { ...answer, isComplete: isGood, code };
  }

  /** @returns the id of the record @throws AppError when a budget refuses the call */
  private async holdAndRecord(
    { model, purpose, payer }: SiteCall,
    pricing: ModelPricing | null,
    expected: Pick<ExpectedCall, 'promptTokens' | 'maxTokens'>,
  ): Promise<number> {
    const { modelId, contextLength } = model;
    const call = { ...expected, contextLength };
    try {
      const budgetTerms = this.budgets.holdTermsJson(payer ?? NOBODY, pricing, call);
      const held = { modelId, ...this.termsOf(payer) };
      const insert =
        budgetTerms === null ? insertFree(held) : insertWithBudget({ ...held, budgetTerms, apiKeyId: null });
      const [row] = await this.dataSource.query<{ id: number }[]>(...insert);
      return row!.id;
    } catch (error) {
      const refusal = error instanceof AppError ? error : this.budgets.exceeded(error);
      if (refusal === null) throw error;
      this.logger.debug({ code: refusal.code, modelId, purpose }, 'call of the site refused by the budget');
      throw refusal;
    }
  }

  private termsOf(payer: Asker | undefined): Omit<HeldCall, 'modelId'> {
    const channel = 'site';
    if (payer === undefined) return { owner: SITE_OWNER, userId: null, quotaPeriod: null, plan: 'site', channel };
    const { owner, userId } = payer;
    const { quotaPeriod } = this.settings.get();
    return { owner, userId, quotaPeriod, plan: planNameOf(payer), channel };
  }

  /** @param by gets the connection that answers */
  private async read(request: SiteRequest, meter: UsageMeter, by: AnsweredBy): Promise<Omit<SiteAnswer, 'costUsd'>> {
    const { model: asked, purpose, messages, maxTokens, maxCharacters, timeoutMs, signal: stop } = request;
    const enough = new AbortController();
    const ends = this.endsOf(stop);
    let [text, reasoning, isReported, isCut] = ['', '', false, false];
    let failure: unknown = null;
    try {
      const { provider, model, connection } = this.providers.route({ ...asked, kind: 'chat' });
      by.connection = connection?.name;
      const limits = { maxTokens, reasoningEffort: lowestEffort(asked), defaults: ['max_tokens', 'reasoning_effort'] };
      const wanted = { model, messages, ...limits, separatesReasoning: true };
      await withDeadline(timeoutMs, AbortSignal.any([enough.signal, ends]), (signal) =>
        provider.stream(wanted, signal, (events) => {
          for (const event of events) {
            if (event.type === 'text-delta') text += event.text;
            else if (event.type === 'reasoning-delta') reasoning += event.text;
            else if (event.type === 'text-was-reasoning') [text, reasoning] = ['', reasoning + text];
            else if (event.type === 'finish') isCut = event.reason === 'length';
            else if (event.type === 'usage') {
              isReported = true;
              meter.report(event);
            }
          }
          if (text.length > maxCharacters || reasoning.length > LIMITS.answerCharacters) enough.abort();
        }),
      );
    } catch (error) {
      failure = error;
    }
    const isComplete = failure === null || text.length > maxCharacters;
    if (!isComplete) this.logger.debug({ err: failure, modelId: asked.modelId, purpose }, 'call of the site failed');
    if (!isReported) meter.estimateUnlessFree(failure, () => promptTokens(messages), [text, reasoning]);
    const code = isComplete ? null : codeOf(failure, ends);
    isCut ||= text.length > maxCharacters;
    return { text: text.slice(0, maxCharacters), isComplete, isCut, code };
  }
}

/** @param ends the signal that ends a call when nobody waits for it any more */
function codeOf(failure: unknown, ends: AbortSignal): ErrorCode {
  if (ends.aborted) return 'interrupted';
  return failure instanceof ProviderError ? failure.code : 'internal';
}

/** @param stop the signal of the caller: a call that nobody waits for any more has not failed */
function reasonOf(code: ErrorCode | null, stop: AbortSignal | undefined): TerminalStatus {
  if (code === null) return 'complete';
  if (code !== 'interrupted') return 'error';
  return stop?.aborted ? 'stopped' : 'interrupted';
}

/** The least reasoning that the model offers: what the site asks for is simple. */
const lowestEffort = ({ reasoningEfforts }: SiteRequest['model']): ReasoningEffort | undefined => reasoningEfforts?.[0];

const APOLOGY =
  /^(?:i['’]?m (?:sorry|unable)|i am (?:sorry|unable)|sorry|i can(?:no|['’])t|as an ai|maaf|saya tidak (?:bisa|dapat))/i;

/** Whether an answer with this first line declines, in the languages of the page. */
export const isApology = (line: string): boolean => APOLOGY.test(line);
