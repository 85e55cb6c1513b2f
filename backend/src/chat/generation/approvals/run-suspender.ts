import type { GenerationEvent, ToolPart } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { RESOURCES, type Resources } from '../../../platform/platform.module.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import { endOf, type GenerationEnd, notStored } from '../end/generation-end.js';
import type { MessageRun } from '../live/generation-run.js';
import { RunSaver } from '../live/run-saver.js';
import type { AnswerProgress } from '../live/run-spec.js';
import { GenerationStore } from '../store/generation-store.js';
import { ApprovalStore } from './approval-store.js';
import { encodeRun } from './saved-run.js';

/** How an answer pauses: it goes on once its calls are approved or denied. */
export interface WaitingRun {
  status: 'waiting';
  run: MessageRun;
  progress: AnswerProgress;
  calls: readonly ToolPart[];
  /** They show the calls; recorded, but not sent. */
  events: readonly GenerationEvent[];
}

/** Stores runs whose calls wait for approvals, so that no process holds them. */
@Injectable()
export class RunSuspender {
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
   * @returns the end of the run when Postgres did not take it in time; null once it waits, or another node has ended it
   */
  async suspend(waiting: WaitingRun): Promise<GenerationEnd | null> {
    const { run } = waiting;
    const onRetry = (error: unknown): void =>
      this.logger.warn({ err: error, ...run.ids }, 'suspension of the answer failed; retrying');
    const retries = { timeoutMs: this.timings.settleRetry, isRetried: () => true, onRetry };
    try {
      const store = () => run.span.enter(() => this.storeAndShow(waiting));
      const status = await retryWhileStorageIsAway(store, retries);
      run.span.set({ 'tanya.generation.status': status });
      run.markEnded(status);
      return null;
    } catch (error) {
      this.logger.error({ err: error, ...run.ids }, 'suspension of the answer not stored; it ends with an error');
      return endOf(run, 'error', notStored());
    }
  }

  /** Stores log, parts and state, then the status `waiting`, and only then shows the calls: a decision always finds them. */
  private async storeAndShow({ run, progress, calls, events }: WaitingRun): Promise<'waiting' | 'interrupted'> {
    await this.saver.save(run);
    const { id, snapshot } = run;
    const stored = await this.approvals.suspend(
      { id, nodeId: this.nodeId, ...snapshot },
      calls,
      encodeRun(run, progress),
    );
    // An earlier attempt may have been committed without a confirmation.
    if (stored === null && (await this.store.status(id)) !== 'waiting') return 'interrupted';
    for (const event of events) this.sockets.emit(run.owner, 'generation:event', event);
    const { threadId } = run.spec.thread;
    const { isTemporary } = stored ?? run.spec.thread;
    this.sockets.threadChanged(run.owner, { threadId, isTemporary });
    return 'waiting';
  }
}
