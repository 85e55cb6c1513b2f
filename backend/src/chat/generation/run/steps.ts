import { LIMITS, type ToolPart } from '@tanya/contract';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { ProviderEvent, ProviderMessage, ProviderRequest } from '../../../providers/provider.js';
import type { Tool } from '../../../tools/tool.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { RunTools } from '../live/run-spec.js';
import { CitationFilter } from '../prompt/citation-filter.js';
import type { Suspension } from '../store/suspension.js';
import type { AnswerWriter } from './answer-writer.js';
import { Fallbacks } from './fallbacks.js';
import { claimBefore } from './fitting-quote.js';
import { readStream } from './provider-stream.js';
import { StepPrompt, type ReadStep } from './step-prompt.js';
import type { RunServices } from './run-services.js';
import { StepBudget } from './step-budget.js';
import { askerOf, ToolCalls } from './tool-calls.js';

/** Calls of one step and of one answer. Further calls of a step are dropped, as if the model had not made them. */
const MAX_CALLS_OF_STEP = 16;
const MAX_CALLS = 64;

/** What a text says with one citation, at most. */
const MAX_CLAIMS = 10;

/** Characters of the cited passages of one step in which quotes are looked for: all at once in one turn of the event loop. */
const MAX_FITTED = 50_000;

/** Numbers of passages, with what the text says before them. */
type Cited = Map<number, string[]>;

/** An answer that goes on once its calls are approved or denied. */
export interface WaitingOutcome {
  status: 'waiting';
  /** They have no parts yet. */
  calls: ToolPart[];
  answer: Suspension['answer'];
}

/**
 * Writes the text of one message in steps. In each step the model writes text and may call tools; the next step has
 * their results. After the last step with tools, one more is asked for without them. Calls that need approval suspend the
 * answer.
 */
export class Steps {
  private prompt: StepPrompt;
  private readonly fallbacks: Fallbacks;
  private readonly budget: StepBudget;
  private readonly calls: ToolCalls;
  /** The filter of the current step's text; null before the text, and without passages. */
  private filter: CitationFilter | null = null;
  /** Numbers of the passages that the text cites, with what it says before them. */
  private cited: Cited = new Map();

  constructor(
    private readonly run: GenerationRun,
    private readonly writer: AnswerWriter,
    private readonly services: RunServices,
  ) {
    this.prompt = new StepPrompt(run, services.timings.firstToken);
    this.budget = new StepBudget(run, services);
    this.calls = new ToolCalls(run, writer, services);
    this.fallbacks = new Fallbacks(run, services);
  }

  /**
   * @returns the calls that wait for approvals; null when the answer is complete
   * @throws ProviderError, AppError, or the abort reason of the run
   */
  async write(): Promise<WaitingOutcome | null> {
    const { run } = this;
    await this.prompt.open();
    const { maxSteps = 0 } = run.spec.tools ?? {};
    const { suspended } = run.spec;
    if (suspended !== undefined) await run.span.enter(() => this.calls.runAllowed(suspended));
    for (let steps = suspended?.answer.steps ?? 0; ; steps += 1) {
      if (steps > 0) {
        await run.span.enter(() => this.requireAccess());
        if (!(await this.mayGoOn())) return null;
      }
      const mayCall = steps < maxSteps && run.parts.count('tool') < MAX_CALLS;
      const step = await this.readStep(mayCall);
      if (step.calls.length === 0) return null;
      const calls = step.calls.slice(0, MAX_CALLS_OF_STEP);
      const { callIds, waiting } = await run.span.enter(() => this.calls.runStep(calls, step.provider));
      this.prompt.add(step, callIds);
      if (waiting.length > 0) {
        const answer = { ...this.prompt.state, steps: steps + 1, provider: step.provider };
        return { status: 'waiting', calls: waiting, answer };
      }
    }
  }

  /** Aborts the run if the asker may no longer use its model. @throws the abort reason of the run */
  private async requireAccess(): Promise<void> {
    const { run, services } = this;
    const { signal } = run.controller;
    // The calls of the previous step have read the account already.
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

  /**
   * Asks for one step, again where the prompt adapts to a refusal or, for the first one, where a fallback is left. Calls count
   * only where tools were offered.
   */
  private async readStep(mayCall: boolean): Promise<ReadStep> {
    const { run } = this;
    let hosted: Tool[] | undefined;
    for (;;) {
      // A fallback may take tools that the asked model does not.
      const isOffering = mayCall && this.prompt.mayCall;
      if (isOffering) hosted ??= await run.span.enter(() => this.budget.offerable(hostedIn(run.spec.tools)));
      const offered = isOffering ? [...this.functions(), ...hosted!] : [];
      const seq = run.seq;
      const step: ReadStep = { text: '', calls: [], provider: '' };
      try {
        await this.stream(step, this.prompt.messages(), offered);
        return offered.length > 0 ? step : { ...step, calls: [] };
      } catch (error) {
        if (run.controller.signal.aborted || run.seq !== seq) throw error;
        const isFirst = seq === 0 && step.calls.length === 0;
        if (!(await this.asksAgain(error, offered, isFirst))) throw this.fallbacks.ended(error);
      }
    }
  }

  /** The tools that this server runs: those of the project, and others with another name. */
  private functions(): Tool[] {
    const { projectTools, spec } = this.run;
    const named = new Set(projectTools.map(({ name }) => name));
    const others = spec.tools?.offered.filter(({ name, hosted }) => hosted === undefined && !named.has(name)) ?? [];
    return [...projectTools, ...others];
  }

  /** A prompt that is too long goes to a fallback first, whose context may be longer; only then it is halved. */
  private async asksAgain(error: unknown, offered: readonly Tool[], isFirst: boolean): Promise<boolean> {
    const isLength = error instanceof ProviderError && error.code === 'provider_context';
    const adapts = () => this.prompt.adaptTo(error, offered.length > 0);
    if (!isLength && (await adapts())) return true;
    if (isFirst && (await this.asksFallback(error, offered))) return true;
    return isLength && adapts();
  }

  private async asksFallback(error: unknown, offered: readonly Tool[]): Promise<boolean> {
    const { run, services } = this;
    const request = {
      messages: this.prompt.messages(),
      hasTools: offered.some(({ hosted }) => hosted === undefined),
      hasHostedTools: offered.some(({ hosted }) => hosted !== undefined),
    };
    if (!(await this.fallbacks.next(error, request))) return false;
    this.prompt.withdraw();
    this.prompt = new StepPrompt(run, services.timings.firstToken);
    await this.prompt.open();
    return true;
  }

  /** Streams one step from its provider into the answer. @throws ProviderError, or the abort reason of the run */
  private async stream(step: ReadStep, messages: ProviderMessage[], tools: readonly Tool[]): Promise<void> {
    const { run } = this;
    const { upstreamId, connectionId, sampling, maxTokens, reasoningEffort } = run.spec;
    const { provider, model, connection } = this.services.providers.forChat(upstreamId, connectionId);
    run.connection = connection;
    run.parts.hasReasoningContent = false;
    const before = {
      text: run.parts.lengthOf('text'),
      reasoning: run.parts.lengthOf('reasoning'),
      parts: run.parts.length,
    };
    const written = () => [run.text.slice(before.text), run.reasoning.slice(before.reasoning)] as const;
    step.provider = provider.name;
    const reader = {
      add: (event: ProviderEvent) => this.add(event, step, before.parts),
      isCut: () => run.parts.isCut,
      texts: () => [...written(), ...step.calls.map(({ extraContent: _, ...call }) => JSON.stringify(call))],
    };
    const offered = requestedTools(provider.name, tools);
    const { firstPartMs, hasNext: hasFallback } = this.fallbacks;
    const asked = { model, messages, sampling, maxTokens, reasoningEffort, separatesReasoning: true, hasFallback };
    const request = { ...asked, ...offered };
    const isWhole = await readStream(run, provider, request, this.services, reader, firstPartMs).finally(() =>
      this.endText(),
    );
    if (!isWhole) {
      run.notices.add({ code: 'answer_cut', params: { max: LIMITS.answerCharacters } });
      step.calls = [];
    }
    const [text, reasoning] = written();
    step.text = text;
    if (step.reasoningContent !== undefined) step.reasoningContent = reasoning;
  }

  /** Writes a delta. If the answer was given passages, its text goes through the filter of citations. */
  private append({ type, text }: Extract<ProviderEvent, { type: 'text-delta' | 'reasoning-delta' }>): void {
    if (type === 'reasoning-delta' || !this.run.citations.hasPassages) {
      this.writer.append(type, text);
      return;
    }
    this.filter ??= new CitationFilter(
      (number) => this.writer.isKnown(number),
      (number, before) => this.noteCited(number, before),
    );
    const shown = this.filter.push(text);
    if (shown !== '') this.writer.append(type, shown);
  }

  private noteCited(number: number, before: string): void {
    const claims = this.cited.get(number) ?? [];
    if (claims.length < MAX_CLAIMS) claims.push(claimBefore(before));
    this.cited.set(number, claims);
  }

  /** Ends the text of a step: the passages that it cites become sources. */
  private endText(): void {
    let room = MAX_FITTED;
    for (const [number, claims] of this.endFilter()) {
      room -= this.run.citations.passage(number)?.text.length ?? 0;
      this.writer.addPassage(number, room < 0 ? '' : claims.join(' '));
    }
  }

  /** Shows what the filter has held back. @returns the passages that its text cites */
  private endFilter(): Cited {
    const { filter } = this;
    this.filter = null;
    // A text may end with a citation, which is held back until now.
    const held = filter?.flush() ?? '';
    const { cited } = this;
    this.cited = new Map();
    // After a stop nothing more is shown.
    if (filter === null || this.run.controller.signal.aborted) return new Map();
    if (held !== '') this.writer.append('text-delta', held);
    return cited;
  }

  /** @param from index of the first part of the step */
  private add(event: ProviderEvent, step: ReadStep, from: number): void {
    const { run } = this;
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        run.noteFirstToken();
        this.append(event);
        return;
      case 'text-was-reasoning':
        // Reasoning only weighs passages: those that the following text does not name are not cited.
        this.endFilter();
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
}

const hostedIn = (tools: RunTools | undefined): Tool[] =>
  tools?.offered.filter(({ hosted }) => hosted !== undefined) ?? [];

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
