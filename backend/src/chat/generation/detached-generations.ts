import type { ModelKind, UsageChannel } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { ApiRates } from '../../api-keys/api-rates.js';
import { AppError, errorWithSentence } from '../../platform/errors/app-error.js';
import { isStorageAway, retryWhileStorageIsAway } from '../../platform/resilience/storage-retries.js';
import type { Asker, Owner } from '../../identity/identity.js';
import { promptTokens as tokensOf } from '../../providers/token-estimate.js';
import { AdmissionControl } from './admission/admission-control.js';
import { Idempotency } from './admission/idempotency.js';
import { SendRateLimiter } from './admission/send-rate-limiter.js';
import { type AnswerPiece, piecesOf } from './live/detached-answer.js';
import { GenerationStopper } from './end/generation-stopper.js';
import { GenerationWaiter } from './end/generation-waiter.js';
import { GenerationEngine } from './run/generation-engine.js';
import type { GenerationRun } from './live/generation-run.js';
import type { ClientTools, PromptContext, RunSpec } from './live/run-spec.js';
import { RunRegistry } from './live/run-registry.js';
import type { ChatModel } from '../../models/models.service.js';
import type { QuotaAccount } from '../../quota/quota.service.js';
import { type GenerationRow, GenerationStore } from './store/generation-store.js';
import type {
  ClientReasoning,
  FinishReason,
  Logprobs,
  StoredAnswer,
  WrittenAnswer,
  WrittenChoice,
} from './store/written-answer.js';
import { effortFor, type Requested, withDefaults } from './default-parameters.js';

export { DetachedLog } from './detached-log.js';
export type {
  AnswerPiece,
  ClientReasoning,
  ClientTools,
  FinishReason,
  Logprobs,
  PromptContext,
  StoredAnswer,
  WrittenAnswer,
  WrittenChoice,
};

const DELETION_BATCH = 1_000;

export interface DetachedRequest extends Pick<
  RunSpec,
  | 'prompt'
  | 'promptTokens'
  | 'call'
  | 'sampling'
  | 'imageOptions'
  | 'maxTokens'
  | 'defaults'
  | 'reasoningEffort'
  | 'clientTools'
  | 'hidesReasoning'
  | 'fileThreadId'
> {
  channel: UsageChannel;
  clientMessageId: string;
  /** Whether no earlier request can have the `clientMessageId`: the client sent no idempotency key. */
  isFresh?: boolean;
  requestHash: string;
  isCounted?: boolean;
  /** Whether the fallbacks of the model may answer; true by default. */
  mayFallBack?: boolean;
  /** Refuses a request that no earlier one answers, before its admission. */
  beforeAdmission?: () => Promise<void>;
  modelId: string;
  /** The kind that the model must have. */
  kind: ModelKind;
}

export interface DetachedStart {
  generationId: string;
  /** null when it runs on another node or has ended. */
  run: GenerationRun | null;
  /** Whether a fallback may answer; true where that is unknown, as on another node. */
  mayFallBack: boolean;
  /** False when an earlier request with the same idempotency key started it. */
  isOwn: boolean;
  /** The quota account after the admission; null for a repeated request. */
  account: QuotaAccount | null;
}

type StartedAnswer = Pick<DetachedStart, 'generationId' | 'run'>;

/**
 * Generations without a thread: answers of the public API and images of the dialog. They are held, charged and released
 * like any other. The answer is kept with the generation for its idempotency key.
 */
@Injectable()
export class DetachedGenerations {
  constructor(
    private readonly admission: AdmissionControl,
    private readonly rateLimiter: SendRateLimiter,
    private readonly idempotency: Idempotency,
    private readonly store: GenerationStore,
    private readonly registry: RunRegistry,
    private readonly engine: GenerationEngine,
    private readonly stopper: GenerationStopper,
    private readonly waiter: GenerationWaiter,
    private readonly rates: ApiRates,
    @Inject(TIMINGS) private readonly timings: Timings,
  ) {}

  /**
   * Starts a generation. A repeated idempotency key returns the earlier one, unless that one failed.
   * @throws AppError `model_unavailable`, `model_premium`, `rate_limited`, `quota_exceeded`, `budget_exceeded`,
   * `price_unknown`, `idempotency_mismatch`
   */
  start(identity: Asker, request: DetachedRequest): Promise<DetachedStart> {
    const identified = { owner: identity.owner, ...request };
    const repeat = async (row: GenerationRow): Promise<DetachedStart | null> => {
      if (await this.store.releaseFailedKey(row.id)) return null;
      const run = this.registry.find(row.id) ?? null;
      return { generationId: row.id, run, mayFallBack: hasFallback(run), isOwn: false, account: null };
    };
    const admit = async (): Promise<DetachedStart> => {
      // The key of a failed call is free again before the admission.
      const count = async () => (request.isCounted ? undefined : this.rateLimiter.count(identity));
      const earlier = request.isFresh ? null : await this.idempotency.repeated(identified, repeat, count);
      if (earlier !== null) return earlier;
      await request.beforeAdmission?.();
      return this.admitAndRun(identity, request);
    };
    return this.idempotency.once(identified, admit, repeat);
  }

  /** Counts a send before the work that precedes its admission. @throws AppError `rate_limited` */
  countSend(identity: Asker): Promise<void> {
    return this.rateLimiter.count(identity);
  }

  /**
   * The stored answer, once it has ended.
   * @throws AppError the stored error, `interrupted` for an incomplete answer or another owner
   */
  async storedAnswer(owner: Owner, generationId: string): Promise<StoredAnswer> {
    await this.waiter.ended(generationId);
    const answer = await this.storedAnswerNow(owner, generationId);
    if (answer === null) throw new AppError('interrupted');
    return answer;
  }

  /**
   * The stored answer without waiting.
   * @returns null while it is written
   * @throws AppError as `storedAnswer`
   */
  async storedAnswerNow(owner: Owner, generationId: string): Promise<StoredAnswer | null> {
    const row = await this.store.find(owner, generationId);
    // A guest who signed in meanwhile no longer owns the row.
    if (row === null) throw new AppError('interrupted');
    const { id, error, status, answer } = row;
    if (status === 'streaming') return null;
    // The generation has failed and is free. OpenAI's clients still expect the text up to the filter.
    if (answer?.choices[0].finishReason === 'content_filter') return answer;
    if (error !== null) throw errorWithSentence({ ...error, generationId: id });
    // A stopped answer is incomplete: its API key was revoked, or another reader of the same request disconnected.
    if (status !== 'complete' || answer === null) throw new AppError('interrupted');
    return answer;
  }

  /**
   * The answer to a request, once it has ended. One with text that this node has written is not read from Postgres.
   * @throws AppError as `storedAnswer`
   */
  async answer(owner: Owner, { generationId, run }: StartedAnswer): Promise<WrittenAnswer> {
    const end = await run?.ended;
    if (run?.detached == null || end?.status !== 'complete' || !end.isStored)
      return this.storedAnswer(owner, generationId);
    const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = run.meter.result;
    return {
      choices: run.detached.all,
      model: run.spec.modelId,
      promptTokens,
      completionTokens,
      cachedTokens,
      reasoningTokens,
    };
  }

  /**
   * Waits like `answer`, and passes the answer on in pieces from its beginning, each with the model that wrote it, if it is
   * known. The answer of another node is passed on at its end.
   */
  async follow(
    owner: Owner,
    started: StartedAnswer,
    onPiece: (piece: AnswerPiece, model?: string) => void,
  ): Promise<WrittenAnswer> {
    const { run } = started;
    const unsubscribe = run?.detached?.listen((piece) => onPiece(piece, run.spec.modelId));
    try {
      // The stream has begun, so its end is read until Postgres is back. A stored error of the answer is its end.
      const answer = await retryWhileStorageIsAway(() => this.answer(owner, started), {
        timeoutMs: this.timings.settleRetry,
        isRetried: (error) => !(error instanceof AppError) && isStorageAway(error) && !this.registry.isDraining,
      });
      if (run === null)
        for (const choice of answer.choices) for (const piece of piecesOf(choice)) onPiece(piece, answer.model);
      return answer;
    } finally {
      unsubscribe?.();
    }
  }

  async stop(owner: Owner, generationId: string): Promise<void> {
    await this.stopper.stop(owner, generationId);
  }

  async stopOfKey(owner: Owner, apiKeyId: number): Promise<void> {
    const rows = (await this.store.openGenerations({ owner })).filter((row) => row.api_key_id === apiKeyId);
    const stops = await Promise.allSettled(rows.map((row) => this.stopper.stop(owner, row.id)));
    const failed = stops.find((stop) => stop.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  expireAnswers(hours: number): Promise<void> {
    return this.store.expireAnswers(hours);
  }

  /** Deletes final generations of an age. Callers look one up by its id or idempotency key until then. */
  async deleteFinal(ageMs: number): Promise<void> {
    while ((await this.store.deleteDetached(ageMs, DELETION_BATCH)) === DELETION_BATCH);
  }

  /** A rate that is not counted refuses nothing; no answer fails for it. */
  private async countTokens({ apiKey }: Asker, { meter }: GenerationRun): Promise<void> {
    const { promptTokens, completionTokens } = meter.result;
    await this.rates.countTokens(apiKey?.rate, (promptTokens ?? 0) + (completionTokens ?? 0)).catch(() => undefined);
  }

  private async admitAndRun(identity: Asker, request: DetachedRequest): Promise<DetachedStart> {
    const {
      clientMessageId,
      requestHash,
      kind,
      channel,
      isCounted,
      isFresh: _,
      beforeAdmission: __,
      mayFallBack = true,
      ...spec
    } = request;
    const { modelId, promptTokens } = spec;
    const model = this.admission.usableModel(identity, modelId, [kind]);
    const requested: Requested = kind === 'chat' ? withDefaults(request, model.parameters) : request;
    const { generationId, pricing, isBudgeted, account } = await this.admission.admit(identity, model, {
      clientMessageId,
      requestHash,
      modelId,
      turn: null,
      channel,
      promptTokens: promptTokens ?? (() => promptSize(identity.owner, request)),
      maxTokens: spec.call === undefined ? requested.maxTokens : 0,
      choices: requested.sampling?.n,
      isCounted,
      isRelayed: spec.call !== undefined,
    });
    const run = this.engine.launch({
      ...spec,
      generationId,
      asker: identity,
      upstreamId: model.upstreamId,
      connectionId: model.connectionId,
      isImage: model.isImage,
      pricing,
      isBudgeted,
      showsCause: false,
      target: null,
      sampling: requested.sampling,
      maxTokens: requested.maxTokens,
      defaults: requested.defaults,
      ...(mayFallBack && kind === 'chat' && model.fallbacks.length > 0 && { fallback: fallbackOf(request, model) }),
    });
    void run.ended.then(() => this.countTokens(identity, run));
    return { generationId, run, mayFallBack: hasFallback(run), isOwn: true, account };
  }
}

const hasFallback = (run: GenerationRun | null): boolean => run === null || run.spec.fallback !== undefined;

const fallbackOf = (request: DetachedRequest, { fallbacks: modelIds }: ChatModel): RunSpec['fallback'] => ({
  modelIds,
  specFor: (model) => ({
    prompt: request.prompt,
    ...withDefaults(request, model.parameters),
    reasoningEffort: effortFor(model, request.reasoningEffort),
  }),
});

/** Nothing of the prompt is kept for the admission. */
const NO_RUN: PromptContext = { signal: new AbortController().signal, ended: Promise.resolve() };

const promptSize = async (owner: Owner, { prompt }: DetachedRequest): Promise<number> =>
  tokensOf((await prompt(owner, false, NO_RUN))?.messages ?? []);
