import type { GenerationEvent } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { RESOURCES, type Resources } from '../../../platform/platform.module.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import { ApprovalStore } from '../store/approval-store.js';
import { GenerationStore } from '../store/generation-store.js';
import { RunSaver } from '../live/run-saver.js';
import { notStored, type FinalOutcome } from './answer.js';
import type { AnswerWriter } from './answer-writer.js';
import type { WaitingOutcome } from './steps.js';

/** Stores runs whose calls wait for approvals, so that no process holds them. */
@Injectable()
export class GenerationSuspender {
  private readonly nodeId: string;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(RESOURCES) { nodeId }: Resources,
    private readonly saver: RunSaver,
    private readonly approvals: ApprovalStore,
    private readonly store: GenerationStore,
    private readonly sockets: OwnerSockets,
  ) {
    this.nodeId = nodeId;
  }

  /**
   * Stores a run that waits, and retries while Postgres is unavailable. A Stop meanwhile ends the stored generation.
   * @returns null when it is stored, or when another node has ended the generation; else how the answer ends
   */
  async suspend(writer: AnswerWriter, outcome: WaitingOutcome): Promise<FinalOutcome | null> {
    const { run } = outcome;
    const onRetry = (error: unknown): void =>
      this.logger.warn({ err: error, ...run.ids }, 'suspension of the answer failed; retrying');
    const retries = { timeoutMs: this.timings.settleRetry, isRetried: () => true, onRetry };
    const events = outcome.calls.map((call) => writer.addHidden(call));
    try {
      const isWaiting = await retryWhileStorageIsAway(() => this.storeAndShow(writer, outcome, events), retries);
      run.markEnded({ status: isWaiting ? 'waiting' : 'interrupted', text: run.text, isStored: true });
      return null;
    } catch {
      return notStored();
    }
  }

  /**
   * Stores log, parts and state, then the status `waiting`, and only then shows the calls: a decision always finds them.
   * @param events that show the calls, recorded but not sent
   * @returns false when another node has ended the generation
   */
  private async storeAndShow(
    writer: AnswerWriter,
    { run, calls, steps }: WaitingOutcome,
    events: readonly GenerationEvent[],
  ): Promise<boolean> {
    await Promise.all([this.saver.flush(run), writer.checkpoint()]);
    const isStored = await this.approvals.suspend(
      { id: run.id, nodeId: this.nodeId, ...run.snapshot },
      calls,
      run.saved(steps),
    );
    // An earlier attempt may have been committed without a confirmation.
    if (!isStored && (await this.store.status(run.id)) !== 'waiting') return false;
    for (const event of events) this.sockets.emit(run.owner, 'generation:event', event);
    const { threadId, isTemporary } = run.spec.thread;
    this.sockets.threadChanged(run.owner, { threadId, isTemporary });
    return true;
  }
}
