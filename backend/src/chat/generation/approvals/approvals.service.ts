/**
 * Calls of tools that wait for a person's decision.
 *
 * 1. Suspend. A step of the answer runs its calls without approval first (`run/tool-calls.ts`). `RunSuspender` then saves the
 *    run with its waiting calls and sets the status `waiting`. From here on no process holds the answer.
 * 2. Wait. `WaitingAnswers` ends the answer and denies its calls on a Stop, when the time for approvals is over, and when its
 *    owner loses the model or the tool server.
 * 3. Decide. `ApprovalsService` stores a decision with the part of its call, in one transaction that locks the generation: the
 *    first of two decisions counts. The transaction of the last one sets the status `streaming` and this node.
 * 4. Continue. `ThreadRuns.continueRun` starts a run with the tools that the asker may use now, and `Steps` runs the allowed
 *    calls before the next step.
 *
 * A saved run is written and read in `saved-run.ts` alone. The states of a call are in `store/call-states.ts`.
 *
 * A node that is killed (kill -9)
 * - before the suspension is committed: its answer is interrupted, like that of any dead node, and no call has run
 * - between that and the event: the answer waits; a page finds the calls when it resumes
 * - while the answer waits: nothing happens, it is no node's
 * - before a decision is committed, or confirmed: the client sends the decision again
 * - after the last decision: the reaper interrupts the answer; allowed calls that ran are not run again
 */

import type { GenerationEvent, MessageStatus, ReasoningEffort } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { Asker, Owner } from '../../../identity/identity.js';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { RESOURCES, type Resources } from '../../../platform/platform.module.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { QuotaService } from '../../../quota/quota.service.js';
import { MessageStore } from '../../messages/message-store.js';
import { ThreadStore } from '../../messages/thread-store.js';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import { RunRegistry } from '../live/run-registry.js';
import type { RunThread } from '../live/run-spec.js';
import { GENERATION_LOG, type GenerationLog } from '../log/generation-log.js';
import { type Checkpoint, GenerationStore } from '../store/generation-store.js';
import { ApprovalStore, type Decision, type StoredDecision, type WaitingRow } from './approval-store.js';
import type { SavedRun } from './saved-run.js';

/** An answer whose calls are all decided. */
export interface DecidedAnswer {
  generationId: string;
  /** With the plan and the groups of now. */
  asker: Asker;
  modelId: string;
  reasoningEffort: ReasoningEffort | undefined;
  /** A thread that was kept while its calls waited is no longer temporary. */
  thread: RunThread;
  saved: SavedRun;
  checkpoint: Checkpoint;
}

@Injectable()
export class ApprovalsService {
  private readonly nodeId: string;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(RESOURCES) { nodeId }: Resources,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly approvals: ApprovalStore,
    private readonly store: GenerationStore,
    private readonly messages: MessageStore,
    private readonly threads: ThreadStore,
    private readonly quotas: QuotaService,
    private readonly registry: RunRegistry,
    private readonly sockets: OwnerSockets,
    private readonly metrics: GenerationMetrics,
  ) {
    this.nodeId = nodeId;
  }

  /**
   * Stores a decision. The same one again, to the same node, changes nothing, but lets an answer go on whose last decision was
   * committed without a confirmation.
   * @param decision whose generation the caller has reserved
   * @returns the status of the message, and after the last decision the answer that is to go on here: until its run starts,
   *   only a reservation of its id keeps the reaper from it
   * @throws AppError `not_found`, `conflict` for another decision, `rate_limited`, `shutting_down`
   */
  async decide(owner: Owner, decision: Decision): Promise<{ status: MessageStatus; decided: DecidedAnswer | null }> {
    if (this.registry.isDraining) throw new AppError('shutting_down');
    const { status, row, change, continued } = await this.approvals.decide(owner, decision, this.nodeId);
    if (change !== null) await this.showPart(row, change);
    const hasBegun = change === null && !this.registry.isReservedOnce(row.id);
    if (continued === null || hasBegun) return { status, decided: null };
    const seq = change?.seq ?? row.lastSeq!;
    const timeoutMs = this.timings.settleRetry;
    const decided = await retryWhileStorageIsAway(() => this.decidedAnswer(row, continued, seq), { timeoutMs });
    if (decided === null) return { status, decided };
    const { threadId, isTemporary } = decided.thread;
    this.sockets.threadChanged(row.owner, { threadId, isTemporary });
    return { status, decided };
  }

  private async showPart(row: WaitingRow, { seq, index, part }: NonNullable<StoredDecision['change']>): Promise<void> {
    const { id: generationId, owner, threadId, messageId } = row;
    if (part.state === 'denied') this.metrics.toolCalled(part.state);
    const base = { generationId, threadId: threadId!, messageId: messageId! };
    const event: GenerationEvent = { ...base, seq, type: 'part', index, part };
    this.sockets.emit(owner, 'generation:event', event);
    // A page that finds a gap in the log reads the message.
    await this.log.append(generationId, [event]).catch(() => undefined);
  }

  /**
   * @param seq the last sequence number
   * @returns null for an answer that has gone on and whose run has died since: it is the reaper's
   */
  private async decidedAnswer(row: WaitingRow, saved: SavedRun, seq: number): Promise<DecidedAnswer | null> {
    const { id: generationId, owner, threadId, messageId, userMessageId } = row;
    const [checkpoint, userMessage, plan, isTemporary] = await Promise.all([
      this.store.checkpoint(generationId),
      this.messages.find(userMessageId!),
      this.quotas.planOf(owner),
      saved.isTemporary && this.threads.isTemporary(threadId!),
    ]);
    if (checkpoint.seq > seq) return null;
    if (userMessage === null) throw new AppError('not_found');
    return {
      generationId,
      asker: { ...plan, owner, address: saved.tools.address },
      modelId: row.modelId,
      reasoningEffort: row.reasoningEffort ?? undefined,
      thread: {
        threadId: threadId!,
        messageId: messageId!,
        userMessage,
        isTemporary,
        instructions: saved.instructions,
        projectId: saved.projectId,
        lacksTitle: saved.lacksTitle,
        showsCause: saved.showsCause,
      },
      saved,
      checkpoint: { ...checkpoint, seq },
    };
  }
}
