import type { GenerationEvent } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { RESOURCES, type Resources } from '../../../platform/platform.module.js';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import { ApprovalStore } from '../store/approval-store.js';
import { GenerationStore } from '../store/generation-store.js';
import type { Suspension } from '../store/suspension.js';
import type { GenerationRun } from '../live/generation-run.js';
import { LogFlusher } from '../live/log-flusher.js';
import type { AnswerWriter } from './answer-writer.js';
import type { WaitingOutcome } from './steps.js';

/** Stores runs whose calls wait for approvals, so that no process holds them. */
@Injectable()
export class GenerationSuspender {
  private readonly nodeId: string;

  constructor(
    @Inject(RESOURCES) { nodeId }: Resources,
    private readonly flusher: LogFlusher,
    private readonly approvals: ApprovalStore,
    private readonly store: GenerationStore,
    private readonly sockets: OwnerSockets,
  ) {
    this.nodeId = nodeId;
  }

  /**
   * Stores log, parts and state, then the status `waiting`, and only then shows the calls: a decision always finds them.
   * @param events that show the calls, recorded but not sent
   * @returns false when another node has ended the generation
   */
  async suspend(
    run: GenerationRun,
    writer: AnswerWriter,
    { calls, answer }: WaitingOutcome,
    events: readonly GenerationEvent[],
  ): Promise<boolean> {
    await Promise.all([this.flusher.flush(run), writer.checkpoint()]);
    const { id, seq, text, reasoning } = run;
    const state = { id, nodeId: this.nodeId, seq, text, reasoning, parts: run.parts.all };
    const isStored = await this.approvals.suspend(state, calls, JSON.stringify(suspensionOf(run, answer)));
    // An earlier attempt may have been committed without a confirmation.
    if (!isStored && (await this.store.status(id)) !== 'waiting') return false;
    this.announce(run, events);
    return true;
  }

  private announce(run: GenerationRun, events: readonly GenerationEvent[]): void {
    for (const event of events) this.sockets.emit(run.owner, 'generation:event', event);
    const { target, isTemporary = false } = run.spec;
    this.sockets.threadChanged(run.owner, { threadId: target!.threadId, isTemporary });
  }
}

function suspensionOf(run: GenerationRun, answer: Suspension['answer']): Suspension {
  const { asker, tools } = run.spec;
  const { offered, maxSteps, supported } = tools!;
  return {
    answer,
    usage: run.usage,
    pricing: run.spec.pricing,
    isBudgeted: run.spec.isBudgeted,
    isSearchOffered: run.isSearchOffered,
    meter: run.meter.state,
    recorded: run.recordedUsage,
    noticeCodes: run.notices.all,
    tools: { offered: offered.map(({ name }) => name), maxSteps, supported, address: asker.address },
    showsCause: run.spec.showsCause,
    lacksTitle: run.spec.lacksTitle ?? false,
    isTemporary: run.spec.isTemporary ?? false,
    instructions: run.spec.instructions ?? null,
    projectId: run.spec.projectId ?? null,
    citations: run.citations.state,
    attempts: run.attempts,
  };
}
