import type { ToolPart } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { AdmittedCall, Tool, ToolContext } from '../../../tools/tool.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import type { GenerationRun } from '../live/generation-run.js';
import { CallContext } from './call-context.js';
import { CallJournal } from './call-journal.js';
import { CallPlanner, type PlannedCall } from './call-planner.js';
import { PartWriter } from './part-writer.js';
import type { RequestedCall } from './tool-part.js';

/** A call that may run once it is committed. */
export interface RunnableCall {
  part: ToolPart;
  tool: Tool;
}

/** A committed call. */
export interface BegunCall extends RunnableCall {
  start: AdmittedCall;
}

/** Plans and commits calls. */
@Injectable()
export class CallStarter {
  constructor(
    private readonly planner: CallPlanner,
    private readonly journal: CallJournal,
    private readonly context: CallContext,
    private readonly parts: PartWriter,
    private readonly metrics: GenerationMetrics,
  ) {}

  /**
   * Writes the calls of a step and commits those that need no approval.
   * @throws the abort reason of the run
   */
  async begin(
    run: GenerationRun,
    requested: readonly RequestedCall[],
    provider: string,
  ): Promise<{ planned: PlannedCall[]; begun: BegunCall[] }> {
    const planned: PlannedCall[] = [];
    const isUsed = (id: string): boolean => planned.some(({ part }) => part.callId === id);
    for (const call of requested) {
      const plan = await this.planner.plan(run, call, { provider, isUsed });
      run.controller.signal.throwIfAborted();
      planned.push(plan);
      if (plan.part.state === 'waiting') continue;
      this.parts.add(run, plan.part);
      if (plan.tool === null) this.metrics.toolCalled(plan.part.state);
    }
    const runnable = planned.filter(
      (call): call is RunnableCall => call.tool !== null && call.part.state === 'running',
    );
    return { planned, begun: await this.commit(run, runnable, provider) };
  }

  /** Commits calls, and lets their tools check them meanwhile. */
  async commit(
    run: GenerationRun,
    calls: readonly RunnableCall[],
    provider: string,
    isApproved = false,
  ): Promise<BegunCall[]> {
    if (calls.length === 0) return [];
    const begun = calls.map(({ part, tool }): BegunCall => {
      const contextOf = (signal: AbortSignal): ToolContext => ({
        ...this.context.of(run, part.callId, provider, signal),
        isApproved,
      });
      const admitted = tool.admit?.(part.args, contextOf(run.controller.signal));
      // A failure counts when the call runs.
      admitted?.catch(() => undefined);
      const start: AdmittedCall = async (signal) =>
        admitted === undefined ? tool.run(part.args, contextOf(signal)) : (await admitted)(signal);
      return { part, tool, start };
    });
    await this.journal.begin(
      run,
      calls.map(({ part }) => part),
    );
    return begun;
  }
}
