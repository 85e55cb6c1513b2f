import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import type { Tool } from '../../../tools/tool.js';
import type { WaitingOutcome } from './answer-outcome.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { RunSpec } from '../live/run-spec.js';
import { Conversation } from './conversation.js';
import { HostedTools } from './hosted-tools.js';
import { StepBudget } from './step-budget.js';
import { type ReadStep, StepReader } from './step-reader.js';
import { ToolCaller } from './tool-caller.js';

/** Calls of one step and of one answer. Further calls of a step are dropped, as if the model had not made them. */
const MAX_CALLS_OF_STEP = 16;
const MAX_CALLS = 64;

/**
 * Writes a text answer in steps. In each step the model writes text and may call tools; the next step has their results.
 * After the last step with tools, one more is asked for without them. Calls that need approval suspend the answer.
 */
@Injectable()
export class StepLoop {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly reader: StepReader,
    private readonly caller: ToolCaller,
    private readonly budget: StepBudget,
    private readonly hosted: HostedTools,
  ) {}

  /**
   * @returns the calls that wait for approvals; null when the answer is complete
   * @throws ProviderError, AppError, or the abort reason of the run
   */
  async write(run: GenerationRun): Promise<WaitingOutcome | null> {
    const conversation = new Conversation(run, (shrink) => this.loadPrompt(run, shrink));
    await conversation.open();
    const { offered = [], maxSteps = 0 } = run.spec.tools ?? {};
    const { suspended } = run.spec;
    if (suspended !== undefined) await run.span.enter(() => this.caller.runAllowed(run, suspended));
    for (let steps = suspended?.answer.steps ?? 0; ; steps += 1) {
      if (steps > 0 && !(await this.mayGoOn(run, conversation))) return null;
      const mayCall = steps < maxSteps && run.parts.count('tool') < MAX_CALLS;
      const step = await this.read(run, conversation, mayCall ? offered : []);
      if (step.calls.length === 0) return null;
      const calls = step.calls.slice(0, MAX_CALLS_OF_STEP);
      const { callIds, waiting } = await run.span.enter(() => this.caller.run(run, calls, step.provider));
      conversation.add(step, callIds);
      if (waiting.length > 0) {
        const answer = { ...conversation.state, steps: steps + 1, provider: step.provider };
        return { status: 'waiting', calls: waiting, answer, events: waiting.map((call) => run.addPart(call)) };
      }
    }
  }

  private mayGoOn(run: GenerationRun, conversation: Conversation): Promise<boolean> {
    return run.span.enter(() => this.budget.allows(run, () => conversation.messages()));
  }

  /** Loads the prompt and retries while Postgres is unavailable, up to the timeout of the first token. */
  loadPrompt(run: GenerationRun, shrink: boolean): ReturnType<RunSpec['prompt']> {
    const load = () => run.span.enter(() => run.spec.prompt(run.owner, shrink));
    return retryWhileStorageIsAway(load, { timeoutMs: this.timings.firstToken, signal: run.controller.signal });
  }

  /** Reads one step. Calls count only where tools were offered. */
  private async read(run: GenerationRun, conversation: Conversation, tools: readonly Tool[]): Promise<ReadStep> {
    const admitted = conversation.mayCall ? await run.span.enter(() => this.hosted.admitted(run, tools)) : [];
    for (;;) {
      const offered = conversation.mayCall ? admitted : [];
      const seq = run.seq;
      try {
        const step = await this.reader.read(run, conversation.messages(), offered);
        return offered.length > 0 ? step : { ...step, calls: [] };
      } catch (error) {
        if (run.controller.signal.aborted || run.seq !== seq) throw error;
        if (!(await conversation.adaptTo(error, offered.length > 0))) throw error;
      }
    }
  }
}
