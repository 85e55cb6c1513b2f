import type { MessageNotice } from '@tanya/contract';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { ProviderMessage, ToolCallEvent } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { CallableTool } from '../../../tools/tool.js';
import type { ImageRun, MessageRun } from '../live/generation-run.js';
import type { RunModel, RunThread, AnswerProgress, StepTurn } from '../live/run-spec.js';
import { type Prompt, readsImages } from '../prompt/prompt.js';
import {
  type CalledStep,
  SHORT_RESULT_TOKENS,
  stepMessages,
  withoutCalls,
  withUniqueCalls,
} from '../prompt/prompt-calls.js';
import { cutWithMark } from '../prompt/tokens.js';
import type { RunServices } from './run-services.js';

/** Statuses with which servers refuse a request for its tools. OpenRouter answers 404 when no endpoint takes them. */
const REFUSALS = [400, 404, 422, 501];

/** One step as the model wrote it. The run has its text too, behind that of earlier steps. */
export interface ReadStep extends Omit<CalledStep, 'calls' | 'extraContents'> {
  calls: ToolCallEvent[];
  /** Kind of the connection that answered. */
  provider: string;
}

type PromptServices = Pick<RunServices, 'timings' | 'prompts'>;

/**
 * Loads the prompt of an answer in a thread, and retries while Postgres is unavailable. A model that draws reads the message
 * alone.
 * @param shrink halves the prompt @param canCall whether the model may call tools
 */
export function loadPrompt(
  run: MessageRun | ImageRun,
  { threadId, userMessage, instructions, projectId }: RunThread,
  { timings, prompts }: PromptServices,
  { shrink = false, canCall = false } = {},
): Promise<Prompt & { tools: CallableTool[] }> {
  const { model, citations } = run;
  const { signal } = run.controller;
  const load = () =>
    prompts.load(run.owner, userMessage, {
      modelId: model.modelId,
      contextLength: model.contextLength,
      takesImages: readsImages(model),
      modelPrompt: model.systemPrompt ?? null,
      instructions,
      projectId: model.kind === 'image' ? null : projectId,
      citations,
      canCall,
      shrink,
      thread: { asker: run.asker, threadId, model, signal },
    });
  return retryWhileStorageIsAway(() => run.span.enter(load), { timeoutMs: timings.firstToken, signal });
}

/** The messages that a model reads for one answer: its prompt, and the steps so far. */
export class StepPrompt {
  readonly model: RunModel;
  private prompt: ProviderMessage[] = [];
  private readonly steps: StepTurn[] = [];
  private isShort = false;
  private remarks: readonly MessageNotice[] = [];
  private takesTools: boolean | null;

  constructor(
    private readonly run: MessageRun,
    private readonly services: PromptServices,
  ) {
    this.model = run.model;
    const { tools } = run.spec;
    const { takesTools, isShort = false, turns = [] } = run.spec.restored?.progress ?? {};
    const supported = tools === undefined ? null : (run.model.supportsTools ?? null);
    this.takesTools = takesTools ?? supported;
    this.isShort = isShort;
    this.steps.push(...turns);
    if (tools?.offered.length && this.takesTools === false) run.notices.add({ code: 'tools_unsupported' });
  }

  async load(): Promise<void> {
    const { run, services, isShort: shrink } = this;
    const canCall = this.mayCall && (run.spec.tools?.maxSteps ?? 0) > 0;
    const { messages, notices, tools } = await loadPrompt(run, run.spec.thread, services, { shrink, canCall });
    this.remarks = notices;
    run.notices.add(...notices);
    this.prompt = messages;
    run.projectTools = tools;
  }

  /** Removes its notices, because another model gets another prompt. */
  removeNotices(): void {
    for (const { code } of [...this.remarks, { code: 'tools_unsupported' } as const]) this.run.notices.remove(code);
  }

  /** Whether tools may be offered to the model. */
  get mayCall(): boolean {
    return this.takesTools !== false;
  }

  /** The model reads the results as they are stored. */
  messages(): ProviderMessage[] {
    const steps = this.steps.flatMap((step) => this.messagesOf(step));
    const all = withUniqueCalls([...this.prompt, ...steps]);
    return this.mayCall ? all : withoutCalls(all);
  }

  /** @param callIds in the order of the calls of the step */
  addStep({ text, calls, reasoningContent, reasoningDetails }: ReadStep, callIds: string[]): void {
    const extras = callIds.flatMap((callId, at) => {
      const extraContent = calls[at]?.extraContent;
      return extraContent === undefined ? [] : [[callId, extraContent] as const];
    });
    const extraContents = extras.length === 0 ? {} : { extraContents: Object.fromEntries(extras) };
    this.steps.push({ text, reasoningContent, reasoningDetails, callIds, ...extraContents });
  }

  get progress(): Pick<AnswerProgress, 'turns' | 'isShort' | 'takesTools'> {
    return { turns: this.steps, isShort: this.isShort, takesTools: this.takesTools };
  }

  /**
   * Changes the prompt after the provider refused a step before its first token: halves it when it is too long, and
   * leaves the tools out when the model may not support them. Each happens once.
   * @returns false when the step is not to be repeated
   */
  async reduceAfter(error: unknown, hadTools: boolean): Promise<boolean> {
    if (!(error instanceof ProviderError)) return false;
    if (error.code === 'provider_context') {
      if (this.isShort) return false;
      this.isShort = true;
      await this.load();
      return true;
    }
    // llama.cpp refuses with 500.
    const isRefusal = REFUSALS.includes(error.status ?? 0) || error.code === 'provider_refused';
    const refusesTools = (hadTools || this.hasCalls) && this.takesTools === null && isRefusal && !error.isFiltered;
    if (!refusesTools) return false;
    this.takesTools = false;
    // Without tools the prompt searches the project's files itself; that needs no notice.
    if (this.run.projectTools.length > 0) await this.load();
    if (this.run.spec.tools?.offered.length) this.run.notices.add({ code: 'tools_unsupported' });
    return true;
  }

  private get hasCalls(): boolean {
    return this.messages().some(({ role }) => role === 'tool');
  }

  private messagesOf({ callIds, ...step }: StepTurn): ProviderMessage[] {
    const calls = callIds.flatMap((callId) => this.run.parts.call(callId) ?? []);
    const messages = stepMessages({ ...step, calls });
    if (!this.isShort) return messages;
    return messages.map((message) =>
      message.role === 'tool' ? { ...message, content: cutWithMark(message.content, SHORT_RESULT_TOKENS) } : message,
    );
  }
}
