import { LIMITS } from '@tanya/contract';
import type { ProviderEvent } from '../../../providers/provider.js';
import type { Tool } from '../../../tools/tool.js';
import type { WaitingRun } from '../approvals/run-suspender.js';
import type { MessageRun } from '../live/generation-run.js';
import { AnswerWriter } from './answer-writer.js';
import { type AttemptRequest, Attempts } from './attempts.js';
import { CitingText } from './citing-text.js';
import { StepPrompt, type ReadStep } from './step-prompt.js';
import { type RunServices, retryStorage } from './run-services.js';
import { StepBudget } from './step-budget.js';
import { ToolCalls } from './tool-calls.js';

/** Calls of one step and of one answer. Further calls of a step are dropped, as if the model had not made them. */
const MAX_CALLS_OF_STEP = 16;
const MAX_CALLS = 64;

/** A step while its text goes into the run. */
type UnreadStep = Omit<ReadStep, 'text' | 'provider'>;

/**
 * Writes the text of one message in steps. In each step the model writes text and may call tools; the next step has
 * their results. After the last step with tools, one more is asked for without them. Calls that need approval suspend the
 * answer.
 */
export class Steps {
  private prompt: StepPrompt;
  private readonly attempts: Attempts;
  private readonly writer: AnswerWriter;
  private readonly budget: StepBudget;
  private readonly calls: ToolCalls;
  private readonly text: CitingText;

  constructor(
    private readonly run: MessageRun,
    private readonly services: RunServices,
  ) {
    this.writer = new AnswerWriter(run, services);
    this.prompt = new StepPrompt(run, services);
    this.budget = new StepBudget(run, services);
    this.calls = new ToolCalls(run, this.writer, services);
    this.attempts = new Attempts(run, services);
    this.text = new CitingText(run, this.writer);
  }

  /**
   * @returns the calls that wait for approvals; null when the answer is complete
   * @throws ProviderError, AppError, or the abort reason of the run
   */
  async write(): Promise<WaitingRun | null> {
    const { run } = this;
    await this.prompt.load();
    const { maxSteps = 0 } = run.spec.tools ?? {};
    const restored = run.spec.restored?.progress;
    if (restored !== undefined) await run.span.enter(() => this.calls.runAllowed(restored));
    for (let steps = restored?.steps ?? 0; ; steps += 1) {
      if (steps > 0) {
        await run.span.enter(() => this.requireAccess());
        if (!(await this.isWithinBudget())) return null;
      }
      const mayCall = steps < maxSteps && run.parts.count('tool') < MAX_CALLS;
      const step = await this.readStep(mayCall);
      if (step.calls.length === 0) return null;
      const calls = step.calls.slice(0, MAX_CALLS_OF_STEP);
      const { callIds, waiting } = await run.span.enter(() => this.calls.runStep(calls, step.provider));
      this.prompt.addStep(step, callIds);
      if (waiting.length > 0) {
        const progress = { ...this.prompt.progress, steps: steps + 1, provider: step.provider };
        const events = waiting.map((call) => this.writer.addHidden(call));
        return { status: 'waiting', run, progress, calls: waiting, events };
      }
    }
  }

  /** Aborts the run if the asker may no longer use its model. @throws the abort reason of the run */
  private async requireAccess(): Promise<void> {
    const { run, services } = this;
    const isAllowed = await retryStorage(run, services, async () =>
      // The calls of the previous step have read the account already.
      services.access.mayStill(this.calls.lastAsker ?? (await services.access.now(run.asker)), run.model.modelId),
    );
    if (!isAllowed) run.abort('access');
    run.controller.signal.throwIfAborted();
  }

  private isWithinBudget(): Promise<boolean> {
    return this.run.span.enter(() => this.budget.allowsStep(() => this.prompt.messages()));
  }

  /** Asks for one step. Calls count only where tools were offered. */
  private async readStep(mayCall: boolean): Promise<ReadStep> {
    const { run } = this;
    const { seq, parts } = run;
    const before = { text: parts.lengthOf('text'), reasoning: parts.lengthOf('reasoning'), parts: parts.length };
    const written = () => [run.text.slice(before.text), run.reasoning.slice(before.reasoning)] as const;
    let hosted: Tool[] | undefined;
    let offered: Tool[] = [];
    let step: UnreadStep = { calls: [] };
    const { isWhole, provider } = await this.attempts.read({
      request: async () => {
        await this.followModel();
        // A fallback may take tools that the asked model does not.
        const isOffering = mayCall && this.prompt.mayCall;
        if (isOffering) hosted ??= await run.span.enter(async () => this.budget.offerable(await this.hostedTools()));
        offered = isOffering ? [...this.functionTools(), ...this.own(hosted!)] : [];
        step = { calls: [] };
        parts.hasReasoningContent = false;
        const messages = this.prompt.messages();
        return { messages, ...run.model.parameters, separatesReasoning: true, ...this.requestedTools(offered) };
      },
      add: (event) => this.addEvent(event, step, before.parts),
      end: () => this.text.end(),
      isWritten: () => run.seq !== seq || step.calls.length > 0,
      isCut: () => parts.isCut,
      texts: () => [...written(), ...step.calls.map(({ extraContent: _, ...call }) => JSON.stringify(call))],
      reduceAfter: (error) => this.prompt.reduceAfter(error, offered.length > 0),
    });
    if (!isWhole) run.notices.add({ code: 'answer_cut', params: { max: LIMITS.answerCharacters } });
    const [text, reasoning] = written();
    const calls = isWhole && offered.length > 0 ? step.calls : [];
    const reasoningContent = step.reasoningContent === undefined ? undefined : reasoning;
    return { ...step, text, calls, provider, reasoningContent };
  }

  /** Gives a fallback a prompt of its own. */
  private async followModel(): Promise<void> {
    if (this.prompt.model === this.run.model) return;
    this.prompt.removeNotices();
    this.prompt = new StepPrompt(this.run, this.services);
    await this.prompt.load();
  }

  /** @param from index of the first part of the step */
  private addEvent(event: ProviderEvent, step: UnreadStep, from: number): void {
    const { run } = this;
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        run.noteFirstToken();
        this.text.append(event);
        return;
      case 'text-was-reasoning':
        this.text.endUncited();
        this.writer.turnTextIntoReasoning(from);
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
        return;
      case 'source':
        this.writer.addSource(event);
        return;
      case 'pictures-left-out':
        run.notices.add({ code: 'pictures_left_out' });
        return;
      case 'finish':
        if (event.reason === 'length') run.notices.add({ code: 'answer_length' });
    }
  }

  /** The tools that the model's provider runs and bills, as far as the asker may still use them. */
  private async hostedTools(): Promise<Tool[]> {
    const { run, services } = this;
    const hosted = this.own(run.spec.tools?.offered.filter((tool) => tool.hosted !== undefined) ?? []);
    const now = this.calls.lastAsker;
    // The first step comes right after the send, which has looked them up.
    if (hosted.length === 0 || now === null) return hosted;
    const names = hosted.map(({ name }) => name);
    const usable = await retryStorage(run, services, () => services.tools.usable(now.asker, names));
    return usable.filter((tool) => tool.hosted !== undefined);
  }

  /** The tools that this server runs: those of the project, and others with another name. */
  private functionTools(): Tool[] {
    const { projectTools, spec } = this.run;
    const named = new Set(projectTools.map(({ name }) => name));
    const others = spec.tools?.offered.filter(({ name, hosted }) => hosted === undefined && !named.has(name)) ?? [];
    return [...projectTools, ...others];
  }

  /** Without tools that another provider than the model's would run. */
  private own(tools: readonly Tool[]): Tool[] {
    return this.services.providers.withoutForeignTools(this.run.model, tools);
  }

  private requestedTools(tools: readonly Tool[]): Pick<AttemptRequest, 'tools' | 'serverTools'> {
    const functions = tools.filter(({ hosted }) => hosted === undefined);
    const serverTools = tools.flatMap(({ hosted }) => (hosted ? [hosted.definition] : []));
    return {
      ...(functions.length > 0 && {
        tools: functions.map(({ name, description, parameters }) => ({ name, description, parameters })),
      }),
      ...(serverTools.length > 0 && { serverTools }),
    };
  }
}
