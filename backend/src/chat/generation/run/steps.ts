import { LIMITS } from '@tanya/contract';
import type { Traced } from '../../../platform/observability/tracing.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { ProviderEvent, ProviderMessage, ProviderRequest } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { Tool } from '../../../tools/tool.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { WaitingOutcome } from './answer-outcome.js';
import type { AnswerWriter } from './answer-writer.js';
import { StepPrompt, type ReadStep } from './step-prompt.js';
import type { RunServices } from './run-services.js';
import { StepBudget } from './step-budget.js';
import { StepUsage } from './step-usage.js';
import { askerOf, ToolCalls } from './tool-calls.js';

/** Calls of one step and of one answer. Further calls of a step are dropped, as if the model had not made them. */
const MAX_CALLS_OF_STEP = 16;
const MAX_CALLS = 64;

/** Thrown out of the provider's stream to close it when the answer has reached its maximum length. */
class AnswerTooLong extends Error {
  readonly code = 'answer_cut';
}

/**
 * Writes the text answer of one run in steps. In each step the model writes text and may call tools; the next step has
 * their results. After the last step with tools, one more is asked for without them. Calls that need approval suspend the
 * answer.
 */
export class Steps {
  private readonly prompt: StepPrompt;
  private readonly budget: StepBudget;
  private readonly calls: ToolCalls;

  constructor(
    private readonly run: GenerationRun,
    private readonly writer: AnswerWriter,
    private readonly services: RunServices,
  ) {
    this.prompt = new StepPrompt(run, services.timings.firstToken);
    this.budget = new StepBudget(run, services);
    this.calls = new ToolCalls(run, writer, services);
  }

  /**
   * @returns the calls that wait for approvals; null when the answer is complete
   * @throws ProviderError, AppError, or the abort reason of the run
   */
  async write(): Promise<WaitingOutcome | null> {
    const { run, prompt } = this;
    await prompt.open();
    const { offered = [], maxSteps = 0 } = run.spec.tools ?? {};
    const { suspended } = run.spec;
    if (suspended !== undefined) await run.span.enter(() => this.calls.runAllowed(suspended));
    for (let steps = suspended?.answer.steps ?? 0; ; steps += 1) {
      if (steps > 0) {
        await run.span.enter(() => this.requireAccess());
        if (!(await this.mayGoOn())) return null;
      }
      const mayCall = steps < maxSteps && run.parts.count('tool') < MAX_CALLS;
      const step = await this.readStep(mayCall ? offered : []);
      if (step.calls.length === 0) return null;
      const calls = step.calls.slice(0, MAX_CALLS_OF_STEP);
      const { callIds, waiting } = await run.span.enter(() => this.calls.runStep(calls, step.provider));
      prompt.add(step, callIds);
      if (waiting.length > 0) {
        const answer = { ...prompt.state, steps: steps + 1, provider: step.provider };
        return { status: 'waiting', calls: waiting, answer, events: waiting.map((call) => run.addPart(call)) };
      }
    }
  }

  /** Ends the answer when the asker may no longer use its model. @throws the abort reason of the run */
  private async requireAccess(): Promise<void> {
    const { run, services } = this;
    const { signal } = run.controller;
    // The calls of the step before have read the account.
    const isAllowed = await retryWhileStorageIsAway(
      async () =>
        services.access.mayStill(this.calls.asker ?? (await services.access.now(askerOf(run))), run.spec.modelId),
      { timeoutMs: services.timings.settleRetry, signal },
    );
    if (!isAllowed) run.abort('access');
    signal.throwIfAborted();
  }

  private mayGoOn(): Promise<boolean> {
    return this.run.span.enter(() => this.budget.allowsStep(() => this.prompt.messages()));
  }

  /** Asks for one step, again where the prompt adapts to a refusal. Calls count only where tools were offered. */
  private async readStep(tools: readonly Tool[]): Promise<ReadStep> {
    const { run, prompt } = this;
    const offerable = prompt.mayCall ? await run.span.enter(() => this.budget.offerable(tools)) : [];
    for (;;) {
      const offered = prompt.mayCall ? offerable : [];
      const seq = run.seq;
      try {
        const step = await this.stream(prompt.messages(), offered);
        return offered.length > 0 ? step : { ...step, calls: [] };
      } catch (error) {
        if (run.controller.signal.aborted || run.seq !== seq) throw error;
        if (!(await prompt.adaptTo(error, offered.length > 0))) throw error;
      }
    }
  }

  /** Streams one step from its provider into the answer. @throws ProviderError, or the abort reason of the run */
  private async stream(messages: ProviderMessage[], tools: readonly Tool[]): Promise<ReadStep> {
    const { run } = this;
    const { modelId, connectionId, sampling, maxTokens, reasoningEffort, clientTools } = run.spec;
    const { provider, model, connection } = this.services.providers.forChat(modelId, connectionId);
    run.connection = connection;
    run.parts.hasReasoningContent = false;
    const textBefore = run.parts.lengthOf('text');
    const reasoningBefore = run.parts.lengthOf('reasoning');
    const partsBefore = run.parts.length;
    const step: ReadStep = { text: '', calls: [], provider: provider.name };
    const { signal } = run.controller;
    signal.throwIfAborted();
    const usage = new StepUsage(run, messages);
    try {
      const offered = clientTools ?? requestedTools(provider.name, tools);
      const separatesReasoning = !run.isDetached;
      const request = { model, messages, sampling, maxTokens, reasoningEffort, separatesReasoning, ...offered };
      await this.traced(provider.name, model, (span) =>
        provider.stream(request, signal, (events) => {
          // A delta that arrives after Stop is dropped: the user has not seen it.
          signal.throwIfAborted();
          const isSilent = run.firstTokenMs === null;
          for (const event of events)
            if (event.type === 'text-was-reasoning') this.writer.turnTextIntoReasoning(partsBefore);
            else this.add(event, step, usage);
          if (isSilent && run.firstTokenMs !== null) span.event('first token');
          if (run.isCut) throw new AnswerTooLong();
        }),
      );
      usage.close(step.calls, null);
    } catch (error) {
      usage.close(step.calls, error);
      if (!(error instanceof AnswerTooLong)) throw error;
      run.finishReason = 'length';
      run.notices.add({ code: 'answer_cut', params: { max: LIMITS.answerCharacters } });
      step.calls = [];
    }
    step.text = run.text.slice(textBefore);
    if (step.reasoningContent !== undefined) step.reasoningContent = run.reasoning.slice(reasoningBefore);
    return step;
  }

  private add(event: Exclude<ProviderEvent, { type: 'text-was-reasoning' }>, step: ReadStep, usage: StepUsage): void {
    const { run } = this;
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        if (run.firstTokenMs === null) this.noteFirstToken();
        this.writer.append(event.type, event.text);
        return;
      case 'usage':
        usage.report(event);
        return;
      case 'tool-call-delta':
        if (run.spec.clientTools === undefined) return;
        if (run.firstTokenMs === null) this.noteFirstToken();
        run.appendClientCall(event);
        return;
      case 'tool-call':
        step.calls.push(event);
        return;
      case 'reasoning-content':
        step.reasoningContent = '';
        run.parts.hasReasoningContent = true;
        return;
      case 'reasoning-details':
        step.reasoningDetails = event.details;
        if (run.isDetached) run.reasoningDetails = event.details;
        return;
      case 'source':
        if (!run.isDetached) this.writer.addSource(event);
        return;
      case 'pictures-left-out':
        if (run.isDetached) throw leftOutPictures();
        run.notices.add({ code: 'pictures_left_out' });
        return;
      case 'logprobs':
        if (run.isDetached) run.addLogprobs(event);
        return;
      case 'choice':
        if (event.event.type === 'pictures-left-out') throw leftOutPictures();
        if (run.firstTokenMs === null) this.noteFirstToken();
        run.appendChoice(event.choice, event.event);
        if (run.furtherChoices.isCut) throw new AnswerTooLong();
        return;
      case 'finish':
        if (event.reason === 'content_filter') run.clientCalls.drop();
        if (event.reason === 'failed') run.lacksFirst = true;
        else run.finishReason = event.reason === 'tool-calls' && run.clientCalls.count === 0 ? 'stop' : event.reason;
        if (event.reason === 'length') run.notices.add({ code: 'answer_length' });
    }
  }

  private noteFirstToken(): void {
    this.run.firstTokenMs = Math.round(this.run.age * 1000);
    const { age, spec, connection } = this.run;
    this.services.metrics.firstToken(age);
    this.services.modelMetrics.firstToken(age, { modelId: spec.modelId, connection: connection?.name });
  }

  private traced(provider: string, model: string, work: Traced<void>): Promise<void> {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
    };
    return this.run.span.child('provider request', { kind: 'client', attributes, isPassive: true }, work);
  }
}

/** A program has no place for a notice, and would take the text alone for the whole answer. */
const leftOutPictures = (): ProviderError => new ProviderError('provider_refused', { reason: 'pictures' });

/** The tools of a request. A tool that another provider would run is left out. */
function requestedTools(provider: string, tools: readonly Tool[]): Pick<ProviderRequest, 'tools' | 'serverTools'> {
  const functions = tools.filter(({ hosted }) => hosted === undefined);
  const serverTools = tools.flatMap(({ hosted }) => (hosted?.provider === provider ? [hosted.definition] : []));
  return {
    ...(functions.length > 0 && {
      tools: functions.map(({ name, description, parameters }) => ({ name, description, parameters })),
    }),
    ...(serverTools.length > 0 && { serverTools }),
  };
}
