import type { ModelKind, UsageChannel } from '@tanya/contract';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { ApiRates } from '../../../api-keys/api-rates.js';
import { AppError, errorWithSentence } from '../../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { BackgroundWork } from '../../../platform/resilience/background-work.js';
import { isStorageAway, retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { inSlices } from '../../../platform/system/slices.js';
import type { Asker, Owner } from '../../../identity/identity.js';
import { promptTokens } from '../../../providers/token-estimate.js';
import { BudgetService } from '../../../quota/budget.service.js';
import { TextQuota } from '../../messages/text-quota.js';
import { AdmissionControl } from '../admission/admission-control.js';
import { type RequestInAdmission, type RequestKey, Idempotency } from '../admission/idempotency.js';
import { type AnswerPiece, piecesOf } from './detached-answer.js';
import { GenerationStopper } from '../generation-stopper.js';
import { GenerationWaiter } from '../end/generation-waiter.js';
import { GenerationEngine } from '../run/generation-engine.js';
import type { GenerationRun } from '../live/generation-run.js';
import { type RequestParameters, withDefaults, withoutIdleSwitches } from '../live/request-parameters.js';
import type { CommonSpec, DetachedImage, ProgramPrompt, RelayedCall, RunSpec } from '../live/run-spec.js';
import { RunRegistry } from '../live/run-registry.js';
import type { QuotaAccount } from '../../../quota/quota.service.js';
import { type GenerationRow, GenerationStore } from '../store/generation-store.js';
import type { StoredAnswer, WrittenAnswer } from './written-answer.js';

/** How long an answer is kept for its idempotency key. */
const IDEMPOTENCY_HOURS = 24;
const CLEANUP_INTERVAL_MS = 60 * 60 * 1000;

/** Time for which a generation outlives its stored response. */
const MARGIN_MS = 24 * 60 * 60 * 1000;

/** Answers, and generations, that one statement deletes. */
const DELETION_BATCH = 1_000;

/** A request for text, for an image, or for another call. Its `kind` is the one that its model must have. */
export type DetachedRequest = RequestTerms &
  (
    | ({ kind: 'chat' } & TextRequest)
    | ({ kind: 'image' } & DetachedImage)
    | ({ kind: Exclude<ModelKind, 'chat' | 'image'> } & RelayedCall)
  );

interface TextRequest extends ProgramPrompt {
  requested: RequestParameters;
  promptTokens: () => number;
  /** Whether the fallbacks of the model may answer; true by default. */
  mayFallBack?: boolean;
}

interface RequestTerms {
  channel: UsageChannel;
  /** Whether the answer is stored among the texts of the account, which must have room for it; false by default. */
  isStored?: boolean;
  modelId: string;
}

export interface DetachedStart {
  generationId: string;
  modelId: string;
  /** null when it runs on another node or has ended. */
  run: GenerationRun | null;
  /** For log lines. */
  ids: object;
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
export class DetachedGenerations implements OnModuleInit {
  constructor(
    private readonly admission: AdmissionControl,
    private readonly idempotency: Idempotency,
    private readonly store: GenerationStore,
    private readonly registry: RunRegistry,
    private readonly engine: GenerationEngine,
    private readonly stopper: GenerationStopper,
    private readonly waiter: GenerationWaiter,
    private readonly rates: ApiRates,
    private readonly budgets: BudgetService,
    private readonly texts: TextQuota,
    private readonly tracing: Tracing,
    private readonly background: BackgroundWork,
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.background.repeat('cleanup of answers', CLEANUP_INTERVAL_MS, () => this.cleanUp());
  }

  /**
   * Starts a generation. A repeated idempotency key returns the earlier one, unless that one failed.
   * @param ask reads what a new request asks for; not called for a copy, whose model may be gone
   * @throws AppError `model_unavailable`, `model_premium`, `rate_limited`, `quota_exceeded`, `budget_exceeded`,
   * `price_unknown`, `idempotency_mismatch`
   */
  async start(
    asker: Asker,
    key: RequestKey,
    ask: (request: RequestInAdmission) => DetachedRequest | Promise<DetachedRequest>,
  ): Promise<DetachedStart> {
    using request = await this.idempotency.waitForTurn(asker, key);
    // A failed call frees its key here, before the next one is admitted under it.
    const earlier = await request.earlier();
    const repeated = earlier && (await this.startOfCopy(earlier));
    if (repeated !== null) return repeated;
    try {
      const asked = await ask(request);
      // The length of the answer is unknown before the model is called, so any room will do.
      if (asked.isStored) await this.texts.ensureRoom(asker.owner, 1);
      return await this.admitAndRun(request, asked);
    } catch (refusal) {
      const started = await this.startOfCopy(await request.earlierInsteadOf(refusal));
      if (started === null) throw refusal;
      return started;
    }
  }

  /** Admits a call and starts its run: `gate`, `admitDetached`, `launch`. */
  private async admitAndRun(request: RequestInAdmission, asked: DetachedRequest): Promise<DetachedStart> {
    const { asker } = request;
    const { kind, channel } = asked;
    const listed = this.admission.usableModel(asker, asked.modelId, [kind]);
    const parameters =
      kind === 'chat' ? withDefaults(withoutIdleSwitches(asked.requested, listed), listed.parameters) : {};
    const writesText = kind === 'chat' || kind === 'image';
    const maxTokens = writesText ? parameters.maxTokens : 0;
    const choices = parameters.sampling?.n;

    const admitted = await this.tracing.span('admission', { attributes: { 'tanya.channel': channel } }, async () => {
      await this.admission.gate(request, listed, choices);
      const estimate = this.budgets.isBudgeted(asker) ? promptTokensOf(asked) : null;
      const terms = { model: listed, channel, promptTokens: estimate, maxTokens, choices };
      return this.admission.admitDetached(request, terms);
    });

    const { generationId, pricing, isBudgeted, account } = admitted;
    const model = { ...listed, pricing, parameters };
    const common = { generationId, asker, isBudgeted, thread: null, model };
    const run = this.engine.launch(specOf(asked, common, listed.fallbacks));
    void run.ended.then(() => this.chargeRate(asker, run));
    const { modelId } = listed;
    return { generationId, modelId, run, ids: run.ids, mayFallBack: hasFallback(run), isOwn: true, account };
  }

  /** The start of an earlier copy of a request; null for one that failed, whose key it frees. */
  private async startOfCopy({ id, modelId }: GenerationRow): Promise<DetachedStart | null> {
    if (await this.store.releaseFailedKey(id)) return null;
    const run = this.registry.find(id) ?? null;
    const ids = run?.ids ?? { generationId: id };
    return { generationId: id, modelId, run, ids, mayFallBack: hasFallback(run), isOwn: false, account: null };
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
    // A reader that fails ends alone and at once: the answer goes on for the others, and is stored.
    let unsubscribe: (() => void) | undefined;
    let hasFailed = false;
    const failure = new Promise<never>((_resolve, reject) => {
      unsubscribe = run?.detached?.listen((piece) => {
        if (hasFailed) return;
        try {
          onPiece(piece, run.model.modelId);
        } catch (error) {
          hasFailed = true;
          reject(error instanceof Error ? error : new Error('A reader of an answer failed', { cause: error }));
        }
      });
    });
    try {
      // The stream has begun, so its end is read until Postgres is back. A stored error of the answer is its end.
      const ended = retryWhileStorageIsAway(() => this.answer(owner, started), {
        timeoutMs: this.timings.settleRetry,
        isRetried: (error) => !(error instanceof AppError) && isStorageAway(error) && !this.registry.isDraining,
      });
      const answer = await Promise.race([failure, ended]);
      if (run === null)
        for (const choice of answer.choices)
          for await (const piece of inSlices(piecesOf(choice))) onPiece(piece, answer.model);
      return answer;
    } finally {
      unsubscribe?.();
    }
  }

  /**
   * The answer to a request, once it has ended. One with text that this node has written is not read from Postgres.
   * @throws AppError as `storedAnswer`
   */
  async answer(owner: Owner, { generationId, run }: StartedAnswer): Promise<WrittenAnswer> {
    const status = await run?.ended;
    if (run?.detached == null || status !== 'complete') return this.storedAnswer(owner, generationId);
    const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = run.meter.result;
    return {
      choices: run.detached.all,
      model: run.model.modelId,
      promptTokens,
      completionTokens,
      cachedTokens,
      reasoningTokens,
    };
  }

  /**
   * The stored answer, once it has ended.
   * @throws AppError the stored error, `interrupted` for an incomplete answer or another owner
   */
  async storedAnswer(owner: Owner, generationId: string): Promise<StoredAnswer> {
    const run = this.registry.find(generationId);
    // A guest who signs in meanwhile owns it as an account.
    const held = run?.owner === owner ? run : { owner };
    await this.waiter.ended(generationId);
    const answer = await this.storedAnswerNow(held.owner, generationId);
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
   * Stops a generation whose client is gone, so that nobody can be told of a failure. While Postgres is away it tries
   * again: the answer would otherwise be paid for until its end.
   */
  async abandon(owner: Owner, generationId: string): Promise<void> {
    const timeoutMs = this.timings.settleRetry;
    try {
      await retryWhileStorageIsAway(() => this.stopper.stop(owner, generationId), { timeoutMs });
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return;
      this.logger.error({ err: error, generationId }, 'abandoned generation stop failed; it runs to its end');
    }
  }

  /** Deletes answers after their idempotency window, and generations after their stored response. */
  async cleanUp(): Promise<void> {
    while ((await this.store.expireAnswers(IDEMPOTENCY_HOURS, DELETION_BATCH)) === DELETION_BATCH);
    const ageMs = this.timings.storedResponse + MARGIN_MS;
    while ((await this.store.deleteDetached(ageMs, DELETION_BATCH)) === DELETION_BATCH);
  }

  /** A rate that is not counted refuses nothing; no answer fails for it. */
  private async chargeRate({ apiKey }: Asker, { meter }: GenerationRun): Promise<void> {
    const { promptTokens, completionTokens } = meter.result;
    await this.rates.charge(apiKey?.rate, (promptTokens ?? 0) + (completionTokens ?? 0)).catch(() => undefined);
  }
}

const hasFallback = (run: GenerationRun | null): boolean =>
  run === null || (run.spec.kind === 'program' && run.spec.fallbacks.length > 0);

/** Estimates the tokens of the prompt. */
const promptTokensOf = (asked: DetachedRequest): number =>
  asked.kind === 'image' ? promptTokens([{ role: 'user', content: asked.prompt }]) : asked.promptTokens();

/** What a run for a request is told. The kind of a request is that of its model; its text is written for a program. */
function specOf(
  request: DetachedRequest,
  common: CommonSpec & { thread: null },
  fallbacks: readonly string[],
): RunSpec {
  switch (request.kind) {
    case 'chat': {
      const { requested, messages, clientTools, hidesReasoning, mayFallBack = true } = request;
      const prompt = { messages, clientTools, hidesReasoning };
      return { ...common, kind: 'program', ...prompt, requested, fallbacks: mayFallBack ? fallbacks : [] };
    }
    case 'image': {
      const { prompt, options, fileThreadId } = request;
      return { ...common, kind: 'image', image: { prompt, options, fileThreadId } };
    }
    default:
      return { ...common, kind: 'relay', call: request.call, promptTokens: request.promptTokens };
  }
}
