import {
  ERRORS,
  type GenerationError,
  type GenerationEvent,
  type Message,
  type OpenStatus,
  type TerminalStatus,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { FailureLog, type NewFailure } from '../../../failures/failure-log.js';
import { isRefusal } from '../../../platform/database/constraint-violations.js';
import { Statements } from '../../../platform/database/statements.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { jsonPieces } from '../../../platform/json/json-writer.js';
import { toStorableText } from '../../../platform/json/storable-json.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { inSlices } from '../../../platform/system/slices.js';
import { ModelMetrics } from '../../../models/model-metrics.js';
import { type Owner, ownerUserId } from '../../../identity/identity.js';
import { type Plan, type QuotaAccount, QuotaService } from '../../../quota/quota.service.js';
import { searchText, toStoredContent } from '../../messages/message-content.js';
import { MessageStore } from '../../messages/message-store.js';
import { ThreadStore } from '../../messages/thread-store.js';
import { type MessageRow, toMessage } from '../../messages/message-view.js';
import { isDerivable, toStoredPart } from '../../messages/stored-parts.js';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import { RunSaver } from '../live/run-saver.js';
import { RunRegistry } from '../live/run-registry.js';
import { GENERATION_LOG, type GenerationLog } from '../log/generation-log.js';
import { GenerationStore } from '../store/generation-store.js';
import type { WrittenChoices } from '../detached/written-answer.js';
import { type EndParameters, storeEnd } from './store-end.sql.js';
import {
  everSimpler,
  chargedChoices,
  type GenerationResult,
  isCharged,
  isChargedWhole,
  noticeText,
  workSeconds,
} from './generation-result.js';

interface GenerationEnd {
  status: TerminalStatus;
  error: GenerationError | null;
  owner: Owner;
  threadId: number | null;
  isTemporary: boolean;
  modelId: string;
  apiKeyId: number | null;
  message: Message | null;
  /** null when the account was deleted or the hold was settled before. */
  account: QuotaAccount | null;
  plan: Plan;
  seconds: number;
  /** For the metrics; the result of this attempt if an earlier one stored the end. */
  result: GenerationResult;
  /** Whether the sum of used and held messages may have changed. It does not when the whole hold is charged. */
  changesCounter: boolean;
}

/** The columns of the account are null when the hold was settled before. */
interface EndedRow {
  owner: Owner;
  thread_id: number | null;
  model_id: string;
  api_key_id: number | null;
  seconds: number;
  message: MessageRow | null;
  siblings: number[] | null;
  period: string | null;
  charged: number;
  held: number;
  version: number;
  is_premium: boolean;
  quota_override: number | null;
  is_temporary: boolean | null;
}

/**
 * Ends generations, those of this node and those of dead nodes: stores the result, settles the hold and announces the end.
 * The database's compare-and-set decides, so a generation ends exactly once.
 */
@Injectable()
export class GenerationFinalizer {
  constructor(
    private readonly statements: Statements,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly generations: GenerationStore,
    private readonly messages: MessageStore,
    private readonly threads: ThreadStore,
    private readonly quotas: QuotaService,
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
   * Stores and announces an end. When another node has ended the generation, nothing is stored or announced.
   * @param lastSeq the generation's last sequence number
   * @param options `isRetry`: an earlier attempt failed, and its commit may have succeeded without an announcement, so a
   *   stored end is announced. `before`: the status that the end replaces; a generation with another one is left as it is
   * @returns the stored status; null when the generation was deleted, or is not final and has another status than `before`
   */
  finalize(
    id: string,
    result: GenerationResult,
    lastSeq: number,
    { isRetry = false, before = 'streaming' }: { isRetry?: boolean; before?: OpenStatus } = {},
  ): Promise<TerminalStatus | null> {
    return this.tracing.span('finalize', {}, async () => {
      const stored = await this.storeEndOrSimpler(id, result, before);
      const end = stored ?? (await this.earlierEnd(id, result));
      if (end !== null && (stored !== null || isRetry)) {
        await this.announceEnd(id, end, lastSeq);
        // Counted last: an announcement that fails is retried, and an end must count once.
        this.metrics.answered(end.status, workSeconds(end.result, end.seconds), end.result);
        this.countModel(id, end);
        if (end.error !== null) this.failures.record(this.failureOf(id, end.error, end));
      }
      return end?.status ?? null;
    });
  }

  /**
   * Stores an end; a simpler one when Postgres refuses its values: otherwise the generation would never end, and its hold
   * and its thread would stay taken.
   * @returns null when the generation was final already or is deleted
   */
  private async storeEndOrSimpler(
    id: string,
    given: GenerationResult,
    before: OpenStatus,
  ): Promise<GenerationEnd | null> {
    let refusal: unknown;
    for (const result of everSimpler(given)) {
      if (refusal !== undefined)
        this.logger.error(
          { err: refusal, generationId: id, ...this.registry.find(id)?.ids },
          'end of the generation refused; storing a simpler one',
        );
      try {
        const parameters = await parametersOf(id, result, before);
        const store = () => this.statements.run<EndedRow>(...storeEnd(parameters));
        let [row] = await store();
        // The account of a guest moved to a member's during the statement. That happens once, so one more attempt is enough.
        if (row === undefined && (await this.generations.status(id)) === before) [row] = await store();
        return row === undefined ? null : await this.endIn(row, result);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  private async endIn(row: EndedRow, result: GenerationResult): Promise<GenerationEnd> {
    const { owner, thread_id: threadId, model_id: modelId, api_key_id: apiKeyId, seconds, siblings } = row;
    const { period, charged, held, version } = row;
    return {
      status: result.status,
      error: result.error,
      owner,
      threadId,
      isTemporary: row.is_temporary ?? false,
      modelId,
      apiKeyId,
      message: row.message === null ? null : toMessage(row.message, siblings ?? [row.message.id]),
      account: period === null ? null : { owner, period, charged, held, version },
      plan:
        period === null
          ? await this.quotas.planOf(owner)
          : { userId: ownerUserId(owner), isPremium: row.is_premium, quotaOverride: row.quota_override },
      seconds,
      result,
      changesCounter: !isChargedWhole(result),
    };
  }

  /** The end that was stored before. @returns null while the generation runs, and when it is deleted */
  private async earlierEnd(id: string, result: GenerationResult): Promise<GenerationEnd | null> {
    const row = await this.generations.findFinal(id);
    if (row === null) return null;
    const { error, owner, thread_id: threadId, message_id: messageId, model_id: modelId, api_key_id: apiKeyId } = row;
    return {
      status: row.status as TerminalStatus,
      error,
      owner,
      threadId,
      isTemporary: threadId !== null && (await this.threads.isTemporary(threadId)),
      modelId,
      apiKeyId,
      message: messageId === null ? null : await this.messages.find(messageId),
      account: await this.quotas.accountOf(owner, row.period),
      plan: await this.quotas.planOf(owner),
      seconds: row.seconds ?? 0,
      result,
      changesCounter: true,
    };
  }

  private async announceEnd(id: string, end: GenerationEnd, lastSeq: number): Promise<void> {
    const { owner, threadId, isTemporary, account, plan } = end;
    if (account !== null && end.changesCounter) void this.quotas.cacheAccount(account);
    if (account !== null) this.sockets.emit(owner, 'quota:changed', this.quotas.viewOf(account, plan));
    const event = await this.closingEvent(id, end, lastSeq + 1);
    if (event === null || threadId === null) return;
    const run = this.registry.find(id);
    run?.record(event);
    this.sockets.emit(owner, 'generation:event', event);
    this.sockets.threadChanged(owner, { threadId, isTemporary });
    // When the log is unavailable, resume finds the end in Postgres.
    if (run !== undefined) await this.saver.flush(run);
    else await this.log.append(id, [event]).catch(() => undefined);
  }

  /** @returns null for a detached generation */
  private async closingEvent(id: string, end: GenerationEnd, seq: number): Promise<GenerationEvent | null> {
    const { owner, threadId, message, account, plan, status } = end;
    if (message === null || threadId === null) return null;
    const base = { generationId: id, threadId, messageId: message.id, seq, message };
    if (status === 'error' || status === 'interrupted') {
      return { ...base, type: 'error', error: end.error ?? new AppError('interrupted').toGenerationError() };
    }
    const quota = account === null ? await this.quotas.quotaOf({ ...plan, owner }) : this.quotas.viewOf(account, plan);
    return { ...base, type: 'end', quota };
  }

  private countModel(id: string, { error, modelId, result: { usage } }: GenerationEnd): void {
    const connection = this.registry.find(id)?.connection?.name;
    this.modelMetrics.ended({ code: error?.code ?? null, ...usage }, { modelId, connection });
  }

  /** For a run of another node, only the ids of its row are known. */
  private failureOf(
    generationId: string,
    { code }: GenerationError,
    { owner, modelId, apiKeyId, isTemporary }: GenerationEnd,
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

async function parametersOf(id: string, result: GenerationResult, before: OpenStatus): Promise<EndParameters> {
  const { status, error, text, reasoning, parts, notices, usage } = result;
  // A detached generation has no message; its answer, of up to 29 MB, stands in its choices.
  const isMessage = result.detached === undefined;
  const content = isMessage ? (result.content ?? toStoredContent({ text })) : '';
  const hasOwnParts = isMessage && result.content === undefined && !isDerivable(parts);
  return {
    generationId: id,
    before,
    status,
    errorJson: error === null ? null : JSON.stringify(error),
    outcome: isCharged(result) ? 'charged' : 'released',
    content,
    searchText: isMessage ? searchText(content, parts) : '',
    reasoning: isMessage ? reasoning : null,
    partsJson: hasOwnParts ? JSON.stringify(parts.map(toStoredPart)) : null,
    notice: noticeText(notices),
    noticesJson: notices.length === 0 ? null : JSON.stringify(notices),
    choicesJson: result.detached === undefined ? null : await choicesJson(result.detached.choices),
    chargedChoices: chargedChoices(result),
    choices: result.detached?.held ?? 1,
    modelId: result.modelId ?? null,
    contextTokens: result.contextTokens ?? null,
    attemptsJson: result.attempts?.length ? JSON.stringify(result.attempts) : null,
    ...usage,
  };
}

/**
 * The answers of a detached generation as JSON. Likelihoods have millions of characters, and Postgres refuses NUL and lone
 * surrogates, which the arguments of a call may have.
 */
async function choicesJson(choices: WrittenChoices): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of inSlices(jsonPieces(choices, toStorableText))) pieces.push(piece);
  return pieces.join('');
}
