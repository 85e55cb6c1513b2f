import type { MessageNotice } from '@tanya/contract';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { ProviderMessage } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { stepMessages, withoutCalls, withUniqueCalls } from '../prompt/prompt-calls.js';
import { cutWithMark } from '../prompt/tokens.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { RunSpec } from '../live/run-spec.js';
import type { StepTurn, Suspension } from '../store/suspension.js';
import type { RequestedCall } from './tool-part.js';

/** Statuses with which servers refuse a request for its tools. OpenRouter answers 404 when no endpoint takes them. */
const REFUSALS = [400, 404, 422, 501];

/** Tokens of each result after the provider refused the length. */
const SHORT_RESULT_TOKENS = 500;

/** One step of the model: its text is in the run. */
export interface ReadStep {
  text: string;
  calls: RequestedCall[];
  /** Only from providers that take it back under the name `reasoning_content`. */
  reasoningContent?: string;
  reasoningDetails?: unknown[];
  /** Kind of the connection that answered. */
  provider: string;
}

/**
 * Loads the prompt of a run and retries while Postgres is unavailable.
 * @param shrink halves the prompt @param canCall whether the model may call tools @returns null when it cannot be halved
 */
export function loadPrompt(
  run: GenerationRun,
  shrink: boolean,
  timeoutMs: number,
  canCall = false,
): ReturnType<RunSpec['prompt']> {
  const { signal } = run.controller;
  const context = { signal, ended: run.ended, citations: run.citations, canCall };
  const load = () => run.span.enter(() => run.spec.prompt(run.owner, shrink, context));
  return retryWhileStorageIsAway(load, { timeoutMs, signal });
}

/** The messages that a model reads for one answer: its prompt, and the steps so far. */
export class StepPrompt {
  private prompt: ProviderMessage[] = [];
  private readonly steps: StepTurn[] = [];
  private isShort = false;
  private remarks: readonly MessageNotice[] = [];
  private takesTools: boolean | null;

  /** @param loadTimeoutMs of the prompt, while Postgres is unavailable */
  constructor(
    private readonly run: GenerationRun,
    private readonly loadTimeoutMs: number,
  ) {
    const suspended = run.spec.suspended?.answer;
    this.takesTools = suspended?.takesTools ?? run.spec.tools?.supported ?? null;
    this.isShort = suspended?.isShort ?? false;
    this.steps.push(...(suspended?.turns ?? []));
    if (run.spec.tools?.offered.length && this.takesTools === false) run.notices.add({ code: 'tools_unsupported' });
  }

  /** @throws ProviderError `provider_context` when the prompt cannot be halved */
  async load(shrink = this.isShort): Promise<void> {
    const canCall = this.mayCall && (this.run.spec.tools?.maxSteps ?? 0) > 0;
    const prompt = await loadPrompt(this.run, shrink, this.loadTimeoutMs, canCall);
    if (prompt === null) throw new ProviderError('provider_context');
    this.remarks = prompt.notices ?? [];
    this.run.notices.add(...this.remarks);
    this.prompt = prompt.messages;
    this.run.projectTools = prompt.tools ?? [];
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

  get state(): Pick<Suspension['answer'], 'turns' | 'isShort' | 'takesTools'> {
    return { turns: this.steps, isShort: this.isShort, takesTools: this.takesTools };
  }

  /**
   * Changes the prompt after the provider refused a step before its first token: halves it when it is too long, and
   * leaves the tools out when the model may not support them. Each happens once.
   * @returns false when the step is not to be repeated
   */
  async adaptTo(error: unknown, hadTools: boolean): Promise<boolean> {
    if (!(error instanceof ProviderError)) return false;
    if (error.code === 'provider_context') {
      if (this.isShort) return false;
      this.isShort = true;
      await this.load(true);
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
