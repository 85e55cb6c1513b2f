import type {
  GenerationError,
  GenerationEvent,
  Message,
  MessageNotice,
  OpenStatus,
  TerminalStatus,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { isRefusal } from '../../../platform/database/constraint-violations.js';
import { Statements } from '../../../platform/database/statements.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { toStorableText } from '../../../platform/json/storable-json.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { type Owner, ownerUserId } from '../../../identity/identity.js';
import { type RecordedUsage, UNKNOWN_USAGE } from '../../../quota/cost.js';
import { type Plan, type QuotaAccount, QuotaService } from '../../../quota/quota.service.js';
import { noticeText } from '../../messages/notice-text.js';
import { searchText, toStoredContent } from '../../messages/message-content.js';
import { MessageStore } from '../../messages/message-store.js';
import { type MessageRow, toMessage } from '../../messages/message-view.js';
import { type AnswerPart, isDerivable, toStoredPart } from '../../messages/stored-parts.js';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import { FINALIZE, usageParameters } from './finalize-statement.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import { type ClientReasoning, GenerationStore } from '../store/generation-store.js';
import { GENERATION_LOG, type GenerationLog } from '../log/generation-log.js';
import { LogFlusher } from '../live/log-flusher.js';
import type { ClientCall } from '../live/client-calls.js';
import type { FinishReason } from '../live/generation-run.js';
import { areVisible } from '../live/run-parts.js';
import { RunRegistry } from '../live/run-registry.js';

/** How a generation ended, before that is stored. */
export interface GenerationResult {
  status: TerminalStatus;
  error: GenerationError | null;
  text: string;
  reasoning: string | null;
  /** The parts, which text and reasoning repeat. No call in them is running. */
  parts: AnswerPart[];
  /** The stored content when it is more than `text`, for an image for example. */
  content?: string;
  notices: MessageNotice[];
  finishReason: FinishReason;
  /** The calls of a detached answer, which the client runs. */
  clientCalls?: ClientCall[];
  clientReasoning?: ClientReasoning;
  /** Whether the client is not shown reasoning. */
  hidesReasoning?: boolean;
  /** Whether it is a stop before any output after those that are free (`FreeStops`). */
  isBeyondFreeStops?: boolean;
  /** Tokens as the provider reported them, for the metrics. */
  promptTokens: number | null;
  completionTokens: number | null;
  /** Tokens and cost for the ledger and for the answer of a detached generation, with estimates where the provider reported none. */
  usage: RecordedUsage;
}

/** A generation whose end is stored. */
interface FinalizedGeneration {
  status: TerminalStatus;
  error: GenerationError | null;
  owner: Owner;
  threadId: number | null;
  message: Message | null;
  /** null when the account was deleted or the hold was settled before. */
  account: QuotaAccount | null;
  plan: Plan;
  /** From the start to the end. */
  seconds: number;
}

/** The columns of the account are null when the hold was settled before. */
interface EndedRow {
  owner: Owner;
  thread_id: number | null;
  seconds: number;
  message: MessageRow | null;
  siblings: number[] | null;
  period: string | null;
  charged: number;
  held: number;
  version: number;
  is_premium: boolean;
  quota_override: number | null;
}

/** Whether the client was shown anything of the answer. */
const isShown = ({ parts, clientCalls = [], hidesReasoning = false }: ChargedFields): boolean =>
  areVisible(hidesReasoning ? parts.filter(({ type }) => type !== 'reasoning') : parts) || clientCalls.length > 0;

/** Whether it is a stop of which nothing was shown: free, until an owner has too many of them. */
export const isStoppedUnseen = (result: ChargedFields): boolean => result.status === 'stopped' && !isShown(result);

/**
 * The charge rule: a complete answer is charged, and so is one that its user stopped after reasoning, text or a call of a
 * tool was shown, or before that beyond the free stops. Errors and interruptions are free.
 */
export const isCharged = (result: ChargedFields): boolean =>
  result.status === 'complete' ||
  (result.status === 'stopped' && (isShown(result) || result.isBeyondFreeStops === true));

/**
 * Seconds in which a node worked on an answer: the time of its runs, which waits for approvals are not part of.
 * @param total from the start to the end, for an answer whose runs were not measured
 */
const workSeconds = ({ usage: { totalMs } }: GenerationResult, total: number): number =>
  totalMs === null ? total : Math.min(total, totalMs / 1000);

/** Postgres refuses NUL and lone surrogates, which the arguments of a call may have. */
const storable = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? toStorableText(value) : value;

/** The further fields of the answer of a detached generation as JSON; null without any. */
function answerFields({ clientCalls = [], clientReasoning: reasoning }: GenerationResult): string | null {
  if (clientCalls.length === 0 && reasoning === undefined) return null;
  return JSON.stringify({ ...(clientCalls.length > 0 && { calls: clientCalls }), reasoning }, storable);
}

type ChargedFields = Pick<
  GenerationResult,
  'status' | 'parts' | 'clientCalls' | 'hidesReasoning' | 'isBeyondFreeStops'
>;

/**
 * Results to store in this order while Postgres refuses the values of the one before: the second as is, since a
 * concurrent change can break a constraint for a moment; then a free error with the text; then one without anything.
 */
function* attemptsAt(result: GenerationResult): Generator<GenerationResult> {
  yield result;
  yield result;
  const { text, reasoning, parts } = result;
  const free: GenerationResult = {
    ...{ status: 'error', error: result.error ?? new AppError('internal').toGenerationError() },
    ...{ text, reasoning, parts, notices: [], finishReason: 'stop' },
    ...{ promptTokens: null, completionTokens: null, usage: UNKNOWN_USAGE },
  };
  yield free;
  yield { ...free, text: '', reasoning: null, parts: [] };
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
    private readonly store: GenerationStore,
    private readonly messages: MessageStore,
    private readonly quotas: QuotaService,
    private readonly registry: RunRegistry,
    private readonly flusher: LogFlusher,
    private readonly sockets: OwnerSockets,
    private readonly metrics: GenerationMetrics,
    private readonly tracing: Tracing,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores and announces an end. When another node has ended the generation, nothing is stored or announced.
   * @param lastSeq the generation's last sequence number
   * @param isRetry an earlier attempt failed: its commit may have succeeded without an announcement, so a stored end is announced
   * @param before the status that the end replaces; a generation with another one is left as it is
   * @returns the stored status; null when the generation was deleted, or is not final and has another status than `before`
   */
  finalize(
    id: string,
    result: GenerationResult,
    lastSeq: number,
    isRetry = false,
    before: OpenStatus = 'streaming',
  ): Promise<TerminalStatus | null> {
    return this.tracing.span('finalize', {}, () => this.end(id, result, lastSeq, isRetry, before));
  }

  private async end(
    id: string,
    given: GenerationResult,
    lastSeq: number,
    isRetry: boolean,
    before: OpenStatus,
  ): Promise<TerminalStatus | null> {
    const { stored, result } = await this.storeAccepted(id, given, before);
    const finalized = stored ?? (await this.readEnd(id));
    if (finalized === null) return null;
    if (stored !== null || isRetry) {
      // A charge turns the hold into used messages, and the cached counter has their sum.
      const isUsedUnchanged = stored !== null && isCharged(result);
      if (finalized.account !== null && !isUsedUnchanged) void this.quotas.committed(finalized.account);
      await this.announce(id, finalized, lastSeq);
      // Last: an announcement that fails is retried, and the end counts once.
      this.metrics.answered(finalized.status, workSeconds(result, finalized.seconds), result);
    }
    return finalized.status;
  }

  /**
   * Stores an end; a simpler one when Postgres refuses its values: otherwise the generation would never end, and its hold
   * and its thread would stay taken.
   * @returns the stored end and its result
   */
  private async storeAccepted(
    id: string,
    given: GenerationResult,
    before: OpenStatus,
  ): Promise<{ stored: FinalizedGeneration | null; result: GenerationResult }> {
    let refusal: unknown;
    for (const result of attemptsAt(given)) {
      if (refusal !== undefined)
        this.logger.error({ err: refusal, generationId: id }, 'end of the generation refused; storing a simpler one');
      try {
        return { stored: await this.storeEnd(id, result, before), result };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  /** @returns null when the generation was final already or is deleted */
  private async storeEnd(
    id: string,
    result: GenerationResult,
    before: OpenStatus,
  ): Promise<FinalizedGeneration | null> {
    const stored = await this.tryStoreEnd(id, result, before);
    // A guest's account moved to another account in the middle of the statement; its new owner is final.
    if (stored === null && (await this.store.status(id)) === before) return this.tryStoreEnd(id, result, before);
    return stored;
  }

  private async tryStoreEnd(
    id: string,
    result: GenerationResult,
    before: OpenStatus,
  ): Promise<FinalizedGeneration | null> {
    const { status, error, text, reasoning, parts, notices } = result;
    const { finishReason, usage } = result;
    const content = result.content ?? toStoredContent({ text });
    const [row] = await this.statements.run<EndedRow>(FINALIZE, [
      ...[
        id,
        status,
        error === null ? null : JSON.stringify(error),
        content,
        reasoning,
        noticeText(notices),
        searchText(content, parts),
      ],
      ...[finishReason, usage.promptTokens, usage.completionTokens, result.content ?? text],
      isCharged(result) ? 'charged' : 'released',
      notices.length === 0 ? null : JSON.stringify(notices),
      result.content !== undefined || isDerivable(parts) ? null : JSON.stringify(parts.map(toStoredPart)),
      answerFields(result),
      ...usageParameters(usage),
      before,
    ]);
    if (row === undefined) return null;
    const { owner, thread_id: threadId, seconds, siblings } = row;
    const message = row.message === null ? null : toMessage(row.message, siblings ?? [row.message.id]);
    return { status, error, owner, threadId, message, seconds, ...(await this.settled(row)) };
  }

  /** The account after the settlement, and the plan that its quota follows. */
  private async settled(row: EndedRow): Promise<Pick<FinalizedGeneration, 'account' | 'plan'>> {
    const { owner, period, charged, held, version } = row;
    if (period === null) return { account: null, plan: await this.quotas.planOf(owner) };
    const plan = { userId: ownerUserId(owner), isPremium: row.is_premium, quotaOverride: row.quota_override };
    return { account: { owner, period, charged, held, version }, plan };
  }

  /** @returns null while the generation runs, and when it is deleted */
  private async readEnd(id: string): Promise<FinalizedGeneration | null> {
    const row = await this.store.findFinal(id);
    if (row === null) return null;
    const { error, owner, thread_id: threadId, message_id: messageId } = row;
    const message = messageId === null ? null : await this.messages.find(messageId);
    const account = await this.quotas.accountOf(owner, row.period);
    const plan = await this.quotas.planOf(owner);
    const seconds = row.seconds ?? 0;
    return { status: row.status as TerminalStatus, error, owner, threadId, message, account, plan, seconds };
  }

  /** Sends the closing event to the owner and to the log, and the owner's new quota. */
  private async announce(id: string, finalized: FinalizedGeneration, lastSeq: number): Promise<void> {
    const { owner, threadId, account, plan } = finalized;
    if (account !== null) this.sockets.emit(owner, 'quota:changed', this.quotas.viewOf(account, plan));
    const event = await this.closingEvent(id, finalized, lastSeq + 1);
    if (event === null || threadId === null) return;
    const run = this.registry.find(id);
    run?.record(event);
    this.sockets.emit(owner, 'generation:event', event);
    this.sockets.emit(owner, 'thread:changed', { threadId });
    // When the log is unavailable, resume finds the end in Postgres.
    if (run !== undefined) await this.flusher.flush(run);
    else await this.log.append(id, [event]).catch(() => undefined);
  }

  /** @returns null for a detached generation */
  private async closingEvent(id: string, end: FinalizedGeneration, seq: number): Promise<GenerationEvent | null> {
    const { owner, threadId, message, account, plan, status } = end;
    if (message === null || threadId === null) return null;
    const base = { generationId: id, threadId, messageId: message.id, seq, message };
    if (status === 'error' || status === 'interrupted') {
      return { ...base, type: 'error', error: end.error ?? new AppError('interrupted').toGenerationError() };
    }
    const quota = account === null ? await this.quotas.quotaOf({ ...plan, owner }) : this.quotas.viewOf(account, plan);
    return { ...base, type: 'end', quota };
  }
}
