import type { ToolPart } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { Identity } from '../../../identity/identity.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { Tracing } from '../../../platform/observability/tracing.js';
import { untilAborted, withDeadline } from '../../../platform/resilience/with-deadline.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { Tool, ToolResult } from '../../../tools/tool.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { SuspendedRun } from '../live/run-spec.js';
import { resumedPart } from '../store/suspension.js';
import { CallJournal } from './call-journal.js';
import { CallPlanner, unavailable } from './call-planner.js';
import { type BegunCall, CallStarter, type RunnableCall } from './call-starter.js';
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
    private readonly starter: CallStarter,
    private readonly journal: CallJournal,
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
    // The plan is read while the calls are committed. Nothing runs before both.
    const settling = [this.planner.currentIdentity(run), this.starter.begin(run, requested, provider)] as const;
    // After a failure of one the run may end only when the other writes nothing more.
    await Promise.allSettled(settling);
    const [identity, calls] = await Promise.all(settling);
    const waiting: ToolPart[] = [];
    for (const { part, tool } of calls.planned.filter(({ part }) => part.state === 'waiting')) {
      if (await this.planner.isStillOffered(run, identity, tool!.name)) waiting.push(part);
      else this.refuse(run, part);
    }
    await this.runAll(run, calls.begun, identity);
    return { callIds: calls.planned.map(({ part }) => part.callId), waiting };
  }

  /** Runs the calls that the user has allowed, if the asker may still use their tools. The denied ones have ended. */
  async runAllowed(run: GenerationRun, { answer }: SuspendedRun): Promise<void> {
    const identity = await this.planner.currentIdentity(run);
    const allowed: RunnableCall[] = [];
    for (const part of run.parts.allowedCalls) {
      const tool = await this.planner.currentTool(identity, part.tool);
      const call = this.parts.change(run, resumedPart(part, tool === null ? unavailable : { state: 'running' }));
      if (tool !== null) {
        allowed.push({ part: call, tool });
      } else {
        this.metrics.toolCalled(call.state);
        await this.journal.finish(run, call);
      }
    }
    await this.runAll(run, await this.starter.commit(run, allowed, answer.provider, true), identity);
  }

  /** A call that was not shown yet. */
  private refuse(run: GenerationRun, part: ToolPart): void {
    this.parts.add(run, { ...part, ...unavailable });
    this.metrics.toolCalled(unavailable.state);
  }

  /** Runs committed calls. When the result of one cannot be stored, the others are aborted too. */
  private async runAll(run: GenerationRun, calls: readonly BegunCall[], identity: Identity): Promise<void> {
    const others = new AbortController();
    const signal = AbortSignal.any([run.controller.signal, others.signal]);
    try {
      await Promise.all(calls.map((call) => this.traced(call.part, () => this.runOne(run, call, identity, signal))));
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
    { part, tool, start }: BegunCall,
    identity: Identity,
    aborted: AbortSignal,
  ): Promise<ToolPart> {
    const began = performance.now();
    const result = await withDeadline(CALL_TIMEOUT_MS, aborted, (signal) =>
      untilAborted(signal, async () => {
        const isUsable = await this.planner.isStillOffered(run, identity, tool.name);
        return isUsable ? start(signal) : { text: unavailable.error, isError: true };
      }),
    ).catch((error: unknown) => this.failure(run, tool, error));
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
