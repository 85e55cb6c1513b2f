import {
  ERRORS,
  type GenerationError,
  type GenerationEvent,
  type OpenStatus,
  type Quota,
  type TerminalStatus,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { FailureLog, type NewFailure } from '../../../failures/failure-log.js';
import { isRefusedValue } from '../../../platform/database/constraint-violations.js';
import { Statements } from '../../../platform/database/statements.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { jsonInSlices } from '../../../platform/json/json-writer.js';
import { toStorableText } from '../../../platform/json/storable-json.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { ModelMetrics } from '../../../models/model-metrics.js';
import { ownerUserId } from '../../../identity/identity.js';
import { FreeStops } from '../../../quota/free-stops.js';
import { QuotaService } from '../../../quota/quota.service.js';
import { searchText, toStoredContent } from '../../messages/message-content.js';
import { toMessage } from '../../messages/message-view.js';
import { isDerivable, toStoredPart } from '../../messages/stored-parts.js';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import type { GenerationRun } from '../live/generation-run.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import { RunSaver } from '../live/run-saver.js';
import { RunRegistry } from '../live/run-registry.js';
import { GENERATION_LOG, type GenerationLog } from '../log/generation-log.js';
import { GenerationStore } from '../store/generation-store.js';
import { type EndParameters, findEnd, storeEnd, type StoredEnd } from './store-end.sql.js';
import {
  everSimpler,
  chargedChoices,
  type GenerationEnd,
  isCharged,
  isChargedWhole,
  isStoppedUnseen,
  noticeText,
  notStored,
  workSeconds,
} from './generation-end.js';

/** A stored end, and what the run or its node wrote, or the simpler end that Postgres took instead of it. */
type AnnouncedEnd = StoredEnd & { written: GenerationEnd };

/**
 * Ends generations, those of this node and those of dead nodes: stores the result, settles the hold and announces the end.
 * The database's compare-and-set decides, so a generation ends exactly once.
 */
@Injectable()
export class GenerationFinalizer {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly statements: Statements,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly generations: GenerationStore,
    private readonly quotas: QuotaService,
    private readonly freeStops: FreeStops,
    private readonly registry: RunRegistry,
    private readonly saver: RunSaver,
    private readonly sockets: OwnerSockets,
    private readonly metrics: GenerationMetrics,
    private readonly tracing: Tracing,
    private readonly modelMetrics: ModelMetrics,
    private readonly failures: FailureLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores and announces the end of a run, and retries after any failure. After `settleRetry` the answer becomes a storage
   * error, which is free, and retries go on; a node that shuts down leaves the end to the reaper.
   * @throws when it was not stored and announced before the node shuts down
   */
  async endRun(run: GenerationRun, written: GenerationEnd): Promise<void> {
    const end = await this.withFreeStop(run, written);
    let isRetry = false;
    const store = (one: GenerationEnd) => async (): Promise<void> => {
      const stored = await this.finalize(run.id, one, run.seq, { isRetry });
      run.markEnded(stored ?? 'interrupted');
    };
    const onRetry = (error: unknown): void => {
      isRetry = true;
      this.logger.warn({ err: error, ...run.ids }, 'end of the generation not stored; retrying');
    };
    try {
      await retryWhileStorageIsAway(store(end), {
        timeoutMs: this.timings.settleRetry,
        isRetried: () => true,
        onRetry,
      });
    } catch (error) {
      if (this.registry.isDraining) throw error;
      onRetry(error);
      await retryWhileStorageIsAway(store({ ...end, status: 'error', error: notStored() }), {
        timeoutMs: Infinity,
        isRetried: () => !this.registry.isDraining,
        onRetry,
      });
    }
  }

  /**
   * Stores and announces an end. When another node has ended the generation, nothing is stored or announced.
   * @param lastSeq the generation's last sequence number
   * @param options `isRetry`: an earlier attempt failed, and its commit may have succeeded without an announcement, so a
   *   stored end is announced. `before`: the status that the end replaces; a generation with another one is left as it is
   * @returns the stored status; null when the generation was deleted, or is not final and has another status than `before`
   */
  finalize(
    id: string,
    end: GenerationEnd,
    lastSeq: number,
    { isRetry = false, before = 'streaming' }: { isRetry?: boolean; before?: OpenStatus } = {},
  ): Promise<TerminalStatus | null> {
    return this.tracing.span('finalize', {}, async () => {
      const stored = await this.storeOrSimplify(id, end, before);
      if (stored !== null) {
        await this.announceEnd(id, stored, lastSeq);
        return stored.status;
      }
      const [earlier] = await this.statements.run<StoredEnd>(...findEnd({ generationId: id }));
      if (earlier !== undefined && isRetry) await this.announceEnd(id, { ...earlier, written: end }, lastSeq);
      return earlier?.status ?? null;
    });
  }

  /** Counts a stop before any output, once for all attempts to store it, and notes whether it is free. */
  private async withFreeStop(run: GenerationRun, end: GenerationEnd): Promise<GenerationEnd> {
    if (!isStoppedUnseen(end)) return end;
    const isFree = await this.freeStops.takeOne({ ...run.spec.asker, owner: run.owner });
    return { ...end, isBeyondFreeStops: !isFree };
  }

  /**
   * Stores an end; a simpler one when Postgres refuses its values: otherwise the generation would never end, and its hold
   * and its thread would stay taken.
   * @returns null when the generation was final already or is deleted
   */
  private async storeOrSimplify(id: string, given: GenerationEnd, before: OpenStatus): Promise<AnnouncedEnd | null> {
    let refusal: unknown;
    for (const written of everSimpler(given)) {
      if (refusal !== undefined)
        this.logger.error(
          { err: refusal, generationId: id, ...this.registry.find(id)?.ids },
          'end of the generation refused; storing it again, or a simpler one',
        );
      try {
        const parameters = await parametersOf(id, written, before);
        const attempt = () => this.statements.run<StoredEnd>(...storeEnd(parameters));
        let [row] = await attempt();
        // The account of a guest moved to a member's during the statement. That happens once, so one more attempt is enough.
        if (row === undefined && (await this.generations.status(id)) === before) [row] = await attempt();
        return row === undefined ? null : { ...row, written };
      } catch (error) {
        if (!isRefusedValue(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  /** Shows an end to its owner, then counts it: an announcement that fails is retried, and an end must count once. */
  private async announceEnd(id: string, end: AnnouncedEnd, lastSeq: number): Promise<void> {
    const { owner, thread_id: threadId, is_temporary: isTemporary, error, written } = end;
    const quota = await this.quotaAtEnd(end);
    this.sockets.emit(owner, 'quota:changed', quota);
    const run = this.registry.find(id);
    // The row may have moved to an account just before its end.
    if (run !== undefined) run.owner = owner;
    const event = closingEvent(id, end, quota, lastSeq + 1);
    if (event !== null) {
      run?.record(event);
      this.sockets.emit(owner, 'generation:event', event);
      this.sockets.threadChanged(owner, { threadId: threadId!, isTemporary: isTemporary ?? false });
      // When the log is unavailable, resume finds the end in Postgres.
      if (run !== undefined) await this.saver.flush(run);
      else await this.log.append(id, [event]).catch(() => undefined);
    }
    this.metrics.answered(end.status, workSeconds(written, end.seconds), written.reported);
    const connection = run?.connection?.name;
    this.modelMetrics.ended({ code: error?.code ?? null, ...written.usage }, { modelId: end.model_id, connection });
    if (error !== null) this.failures.record(this.failureOf(id, error, end));
  }

  /** The quota of the owner after the end. */
  private async quotaAtEnd(end: AnnouncedEnd): Promise<Quota> {
    const { owner, period, charged, held, version, written } = end;
    if (period === null) return this.quotas.quotaOf({ ...(await this.quotas.planOf(owner)), owner });
    const account = { owner, period, charged, held, version };
    // Where the whole hold is charged, the sum of used and held messages stays.
    if (!isChargedWhole(written)) void this.quotas.cacheAccount(account);
    const plan = { userId: ownerUserId(owner), isPremium: end.is_premium, quotaOverride: end.quota_override };
    return this.quotas.quotaAfter(account, { ...plan, owner });
  }

  /** For a run of another node, only the ids of its row are known. */
  private failureOf(
    generationId: string,
    { code }: GenerationError,
    { owner, model_id: modelId, api_key_id: apiKeyId, is_temporary: isTemporary }: StoredEnd,
  ): NewFailure {
    const run = this.registry.find(generationId);
    const said = run?.providerFailure?.errorCode === code ? run.providerFailure : null;
    const { message, type, code: providerCode, param, status = ERRORS[code].status } = said ?? {};
    // A provider's message may quote the temporary chat, of which nothing is kept.
    const provider = isTemporary ? {} : { message, type, code: providerCode, param };
    return {
      code,
      status,
      provider,
      modelId,
      apiKeyId,
      generationId,
      userId: ownerUserId(owner),
      connectionId: run?.connection?.id,
      connectionName: run?.connection?.name,
      requestId: run?.ids.requestId,
    };
  }
}

/** @returns null for a detached generation */
function closingEvent(id: string, end: StoredEnd, quota: Quota, seq: number): GenerationEvent | null {
  const { thread_id: threadId, message: row, siblings, status, error } = end;
  if (row === null || threadId === null) return null;
  const message = toMessage(row, siblings ?? undefined);
  const base = { generationId: id, threadId, messageId: message.id, seq, message };
  return status === 'complete' || status === 'stopped'
    ? { ...base, type: 'end', quota }
    : { ...base, type: 'error', error: error ?? new AppError('interrupted').toGenerationError() };
}

async function parametersOf(id: string, end: GenerationEnd, before: OpenStatus): Promise<EndParameters> {
  const { status, error, text, reasoning, parts, notices, usage } = end;
  // A detached generation has no message; its answer, of up to 29 MB, stands in its choices.
  const isMessage = end.detached === undefined;
  const content = isMessage ? (end.content ?? toStoredContent({ text })) : '';
  const hasOwnParts = isMessage && end.content === undefined && !isDerivable(parts);
  return {
    generationId: id,
    before,
    status,
    errorJson: error === null ? null : JSON.stringify(error),
    outcome: isCharged(end) ? 'charged' : 'released',
    content,
    searchText: isMessage ? searchText(content, parts) : '',
    reasoning: isMessage ? reasoning : null,
    partsJson: hasOwnParts ? JSON.stringify(parts.map(toStoredPart)) : null,
    notice: noticeText(notices),
    noticesJson: notices.length === 0 ? null : JSON.stringify(notices),
    // Likelihoods have millions of characters, and Postgres refuses NUL and lone surrogates, which a call's arguments may have.
    choicesJson: end.detached === undefined ? null : await jsonInSlices(end.detached.choices, toStorableText),
    chargedChoices: chargedChoices(end),
    heldChoices: end.detached?.held ?? 1,
    modelId: end.modelId ?? null,
    contextTokens: end.contextTokens ?? null,
    attemptsJson: end.attempts?.length ? JSON.stringify(end.attempts) : null,
    ...usage,
  };
}
