import type { ToolPart } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { untilAborted, withDeadline } from '../../../platform/resilience/with-deadline.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { Tool, ToolResult } from '../../../tools/tool.js';
import { GenerationMetrics } from '../run/generation-metrics.js';
import type { GenerationRun } from '../run/generation-run.js';
import type { SuspendedRun } from '../run/run-spec.js';
import { resumedPart } from '../store/suspension.js';
import { CallContext } from './call-context.js';
import { CallJournal } from './call-journal.js';
import { CallPlanner, type PlannedCall, UNAVAILABLE } from './call-planner.js';
import { PartWriter } from './part-writer.js';
import type { RequestedCall } from './tool-part.js';

/** Bound of one call in ms. Tools have shorter timeouts of their own; a generated image takes up to three minutes. */
const CALL_TIMEOUT_MS = 200_000;

/** Runs the calls of one step concurrently, each at most once, and writes their parts. */
@Injectable()
export class ToolCaller {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly planner: CallPlanner,
    private readonly journal: CallJournal,
    private readonly context: CallContext,
    private readonly parts: PartWriter,
    private readonly metrics: GenerationMetrics,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Runs the calls that need no approval.
   * @param provider kind of the connection that answers
   * @returns the ids of all calls, and those that wait for approval and have no part yet
   * @throws the abort reason of the run
   */
  async run(
    run: GenerationRun,
    requested: readonly RequestedCall[],
    provider: string,
  ): Promise<{ callIds: string[]; waiting: ToolPart[] }> {
    const identity = await this.planner.currentIdentity(run);
    const planned: PlannedCall[] = [];
    const isUsed = (id: string): boolean => planned.some(({ part }) => part.callId === id);
    for (const call of requested) {
      const plan = await this.planner.plan(run, call, { identity, provider, isUsed });
      run.controller.signal.throwIfAborted();
      planned.push(plan);
      if (plan.part.state === 'waiting') continue;
      this.parts.add(run, plan.part);
      if (plan.tool === null) this.metrics.toolCalled(plan.part.state);
    }
    await this.runAll(
      run,
      planned.filter(({ part, tool }) => tool !== null && part.state === 'running'),
      provider,
    );
    const parts = planned.map(({ part }) => part);
    return { callIds: parts.map(({ callId }) => callId), waiting: parts.filter(({ state }) => state === 'waiting') };
  }

  /** Runs the calls that the user has allowed, if the asker may still use their tools. The denied ones have ended. */
  async runAllowed(run: GenerationRun, { answer }: SuspendedRun): Promise<void> {
    const identity = await this.planner.currentIdentity(run);
    const allowed: PlannedCall[] = [];
    for (const part of run.parts.allowedCalls) {
      const tool = await this.planner.currentTool(identity, part.tool);
      const change =
        tool === null ? ({ state: 'failed', error: UNAVAILABLE } as const) : ({ state: 'running' } as const);
      const call = this.parts.change(run, resumedPart(part, change));
      if (tool !== null) {
        allowed.push({ part: call, tool });
      } else {
        this.metrics.toolCalled(call.state);
        await this.journal.finish(run, call);
      }
    }
    await this.runAll(run, allowed, answer.provider, true);
  }

  /** Commits calls and runs them. When the result of one cannot be stored, the others are aborted too. */
  private async runAll(
    run: GenerationRun,
    planned: readonly PlannedCall[],
    provider: string,
    isApproved = false,
  ): Promise<void> {
    if (planned.length === 0) return;
    await this.journal.begin(
      run,
      planned.map(({ part }) => part),
    );
    const others = new AbortController();
    const signal = AbortSignal.any([run.controller.signal, others.signal]);
    try {
      await Promise.all(
        planned.map(({ part, tool }) =>
          this.traced(part, () => this.runOne(run, part, tool!, { provider, isApproved }, signal)),
        ),
      );
    } catch (error) {
      others.abort(error);
      throw error;
    }
  }

  /** The span has no arguments and no result, which may quote the user. */
  private async traced(part: ToolPart, run: () => Promise<ToolPart>): Promise<void> {
    const attributes = { 'gen_ai.tool.name': part.tool, 'gen_ai.tool.call.id': part.callId };
    await this.tracing.span('tool call', { attributes }, async (span) => {
      const { state } = await run();
      span.set({ 'tanya.call.state': state });
    });
  }

  private async runOne(
    run: GenerationRun,
    part: ToolPart,
    tool: Tool,
    { provider, isApproved }: { provider: string; isApproved: boolean },
    aborted: AbortSignal,
  ): Promise<ToolPart> {
    const began = performance.now();
    const result = await withDeadline(CALL_TIMEOUT_MS, aborted, (signal) => {
      const context = { ...this.context.of(run, part.callId, provider, signal), isApproved };
      return untilAborted(signal, () => tool.run(part.args, context));
    }).catch((error: unknown) => this.failure(run, tool, error));
    // A result that arrives after Stop is dropped: the answer has ended without it.
    aborted.throwIfAborted();
    const ended = this.parts.end(run, part.callId, result, Math.round(performance.now() - began));
    this.metrics.toolCalled(ended.state);
    await this.journal.finish(run, ended);
    return ended;
  }

  private failure(run: GenerationRun, tool: Tool, error: unknown): ToolResult {
    if (error instanceof AppError || error instanceof ProviderError) return { text: error.message, isError: true };
    if (error instanceof Error && error.name === 'TimeoutError')
      return { text: 'The tool did not answer in time.', isError: true };
    if (!run.controller.signal.aborted)
      this.logger.warn({ err: error, generationId: run.id, tool: tool.name }, 'tool failed; reporting it to the model');
    return { text: 'The tool failed.', isError: true };
  }
}
