import { randomUUID } from 'node:crypto';
import { type GenerationEvent, type GenerationResumed, isClosing } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { withTimeout } from '../../platform/resilience/with-timeout.js';
import { Tracing } from '../../platform/observability/tracing.js';
import { RESOURCES, type Resources } from '../../platform/platform.module.js';
import { Bus, type PayloadOf } from '../../platform/bus/bus.js';
import type { Owner } from '../../identity/identity.js';
import { MessageStore } from '../messages/message-store.js';
import { toMessagePart } from '../messages/stored-parts.js';
import { ApprovalStore } from './approvals/approval-store.js';
import { GENERATION_LOG, type GenerationLog } from './log/generation-log.js';
import { RunSaver } from './live/run-saver.js';
import { RunRegistry, generationFlush, generationFlushed } from './live/run-registry.js';
import { type GenerationRow, GenerationStore } from './store/generation-store.js';

/** Another node has this long to flush its log; after that the log is read as it is. */
const FLUSH_TIMEOUT_MS = 1_000;

const hasEnd = (events: readonly GenerationEvent[]): boolean => events.length > 0 && isClosing(events.at(-1)!);

/** Answers `generation:resume`: the missed events of a generation, whichever node runs it. */
@Injectable()
export class ResumeService implements OnApplicationBootstrap {
  /** Flush requests to other nodes, by request id. */
  private readonly pendingFlushes = new Map<string, () => void>();

  constructor(
    @Inject(RESOURCES) private readonly resources: Resources,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly store: GenerationStore,
    private readonly approvals: ApprovalStore,
    private readonly messages: MessageStore,
    private readonly registry: RunRegistry,
    private readonly saver: RunSaver,
    private readonly bus: Bus,
    private readonly tracing: Tracing,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.subscribe(generationFlush, (request) => this.flushFor(request));
    this.bus.subscribe(generationFlushed, ({ request }) => this.pendingFlushes.get(request)?.());
  }

  /**
   * Returns the events after a sequence number. When the log does not have them, it returns `resync` with the message as
   * it is now; the message is null when the generation is deleted or unknown.
   * @throws AppError `not_found` for a generation of another owner
   */
  async resume(owner: Owner, generationId: string, afterSeq: number): Promise<GenerationResumed> {
    const row = await this.store.find(owner, generationId);
    if (row === null && !(await this.store.exists(generationId))) return { outcome: 'resync', message: null };
    if (row === null || row.messageId === null) throw new AppError('not_found');
    const { messageId } = row;
    const attributes = { 'tanya.generation.id': generationId };
    return this.tracing.join(generationId, 'resume', { attributes }, () => this.missed(row, messageId, afterSeq));
  }

  private async missed(row: GenerationRow, messageId: number, afterSeq: number): Promise<GenerationResumed> {
    const { id: generationId } = row;
    await this.flush(row);
    const events = await this.log.readAfter(generationId, afterSeq).catch(() => null);
    // A final generation resumes only with its closing event: a node that died may have emitted events that nothing stored,
    // and the reaper's closing event reuses their sequence numbers.
    const isComplete =
      events !== null && (row.status === 'streaming' || (await this.reachesEnd(row, events, afterSeq)));
    return isComplete ? { outcome: 'resumed', events } : this.resync(generationId, messageId);
  }

  /** The log of a waiting generation is used only when it has the last decision, which is committed before it is logged. */
  private async reachesEnd(row: GenerationRow, events: readonly GenerationEvent[], afterSeq: number): Promise<boolean> {
    if (row.status !== 'waiting') return hasEnd(events);
    return (events.at(-1)?.seq ?? afterSeq) >= (await this.approvals.lastSeq(row.id));
  }

  private async resync(generationId: string, messageId: number): Promise<GenerationResumed> {
    // The checkpoint is read before the message: if the generation ends in between, the final message wins.
    const run = this.registry.find(generationId);
    const checkpoint = run === undefined ? await this.store.checkpoint(generationId) : null;
    const waitingSeq = await this.approvals.lastSeq(generationId);
    const message = await this.messages.find(messageId);
    if (message?.status === 'waiting') {
      // With the suspension or a decision in between, the number would be older than the text.
      const isOld = (await this.approvals.lastSeq(generationId)) !== waitingSeq;
      return isOld ? this.resync(generationId, messageId) : { outcome: 'resync', message, seq: waitingSeq };
    }
    if (message === null || message.status !== 'streaming') return { outcome: 'resync', message };
    // A run's text and number are read last, so that they belong to the events that the client has been sent.
    const { text, reasoning, parts, seq } = checkpoint ?? run!.snapshot;
    return {
      outcome: 'resync',
      message: { ...message, content: text, parts: parts.map(toMessagePart), reasoning: reasoning || null },
      seq,
    };
  }

  private async flush(row: GenerationRow): Promise<void> {
    const run = this.registry.find(row.id);
    if (run !== undefined) await this.saver.flush(run);
    else if (row.status === 'streaming') await this.flushElsewhere(row.id, row.nodeId);
  }

  /**
   * Waits until the generation's node has flushed its log. That node receives the notice of the client's socket before
   * this request, on the same channel, so every later event is published to the client's node.
   */
  private async flushElsewhere(generationId: string, nodeId: string): Promise<void> {
    const request = randomUUID();
    const flushed = new Promise<void>((resolve) => this.pendingFlushes.set(request, resolve));
    await this.bus.publish(generationFlush, { generationId, nodeId, request });
    await withTimeout(FLUSH_TIMEOUT_MS, flushed);
    this.pendingFlushes.delete(request);
  }

  private async flushFor({ generationId, nodeId, request }: PayloadOf<typeof generationFlush>): Promise<void> {
    if (nodeId !== this.resources.nodeId) return;
    const run = this.registry.find(generationId);
    if (run !== undefined) await this.saver.flush(run);
    await this.bus.publish(generationFlushed, { request });
  }
}
