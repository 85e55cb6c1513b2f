import type { GenerationEvent, MessageStatus } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { RESOURCES, type Resources } from '../../platform/platform.module.js';
import type { Owner } from '../../identity/identity.js';
import { QuotaService } from '../../quota/quota.service.js';
import { MessageStore } from '../messages/message-store.js';
import { ThreadStore } from '../messages/thread-store.js';
import { GENERATION_LOG, type GenerationLog } from './log/generation-log.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import { GenerationMetrics } from './live/generation-metrics.js';
import { RunRegistry } from './live/run-registry.js';
import { ApprovalStore, type StoredDecision, type WaitingRow } from './store/approval-store.js';
import { GenerationStore } from './store/generation-store.js';
import type { SavedRun } from './store/saved-run.js';
import { ThreadRuns } from './thread-runs.js';

export interface Decision {
  generationId: string;
  callId: string;
  allow: boolean;
}

@Injectable()
export class ApprovalsService {
  private readonly nodeId: string;

  constructor(
    @Inject(RESOURCES) { nodeId }: Resources,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly approvals: ApprovalStore,
    private readonly store: GenerationStore,
    private readonly messages: MessageStore,
    private readonly threads: ThreadStore,
    private readonly quotas: QuotaService,
    private readonly registry: RunRegistry,
    private readonly runs: ThreadRuns,
    private readonly sockets: OwnerSockets,
    private readonly metrics: GenerationMetrics,
  ) {
    this.nodeId = nodeId;
  }

  /**
   * Stores a decision. The same one again changes nothing.
   * @returns the status of the message
   * @throws AppError `not_found`, `conflict` for another decision, `rate_limited`, `shutting_down`
   */
  async decide(owner: Owner, decision: Decision): Promise<MessageStatus> {
    if (this.registry.isDraining) throw new AppError('shutting_down');
    const { generationId } = decision;
    let isReserved = false;
    const reserve = () => {
      isReserved = true;
      this.registry.reserve(generationId);
    };
    try {
      const { status, row, change, continued } = await this.approvals.decide(owner, decision, this.nodeId, reserve);
      if (change === null) return status;
      await this.showPart(row, change);
      if (continued !== null) await this.continue(row, continued, change.seq);
      return status;
    } catch (error) {
      // Without a run here the reaper ends the generation, should the commit have succeeded.
      if (isReserved) this.registry.release(generationId);
      throw error;
    }
  }

  private async showPart(row: WaitingRow, { seq, index, part }: NonNullable<StoredDecision['change']>): Promise<void> {
    const { id: generationId, owner, thread_id: threadId, message_id: messageId } = row;
    if (part.state === 'denied') this.metrics.toolCalled(part.state);
    const base = { generationId, threadId: threadId!, messageId: messageId! };
    const event: GenerationEvent = { ...base, seq, type: 'part', index, part };
    this.sockets.emit(owner, 'generation:event', event);
    // A page that finds a gap in the log reads the message.
    await this.log.append(generationId, [event]).catch(() => undefined);
  }

  /** @param seq the last sequence number */
  private async continue(row: WaitingRow, saved: SavedRun, seq: number): Promise<void> {
    const { id: generationId, owner, thread_id: threadId, message_id: messageId, user_message_id: userMessageId } = row;
    const [checkpoint, userMessage, plan] = await Promise.all([
      this.store.checkpoint(generationId),
      this.messages.find(userMessageId!),
      this.quotas.planOf(owner),
    ]);
    if (userMessage === null) throw new AppError('not_found');
    await this.runs.continueRun({
      generationId,
      asker: { ...plan, owner, address: saved.tools.address },
      modelId: row.model_id,
      reasoningEffort: row.reasoning_effort ?? undefined,
      threadId: threadId!,
      messageId: messageId!,
      userMessage,
      restored: { ...saved, checkpoint: { ...checkpoint, seq } },
    });
    // A thread that was kept while its calls waited is listed.
    const isTemporary = saved.isTemporary && (await this.threads.isTemporary(threadId!));
    this.sockets.threadChanged(owner, { threadId: threadId!, isTemporary });
  }
}
