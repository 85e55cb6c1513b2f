import type { ErrorCode, GenerationEvent, MessageNotice, ProviderFailure, TerminalStatus } from '@tanya/contract';
import { type AnswerIds, type Asker, type Owner, ownerUserId } from '../../../identity/identity.js';
import { NO_SPAN, type Span } from '../../../platform/observability/tracing.js';
import type { ProviderUsage } from '../../../providers/provider.js';
import type { ConnectionName } from '../../../providers/registry.js';
import type { RecordedUsage } from '../../../quota/cost.js';
import type { FailedAttempt, Checkpoint } from '../store/generation-store.js';
import { DetachedAnswer } from '../detached/detached-answer.js';
import type { CallableTool } from '../../../tools/tool.js';
import { Citations } from './citations.js';
import { RunParts, UnsavedParts } from './run-parts.js';
import type {
  ImageSpec,
  MessageSpec,
  ProgramSpec,
  RelaySpec,
  RunModel,
  RunSpec,
  RestoredRun,
  RunState,
} from './run-spec.js';
import { sumOfTokens, UsageMeter } from '../../../quota/usage-meter.js';

/**
 * The stored status at the end of a run. `waiting`: it is suspended, and its generation goes on after approvals.
 * `interrupted` also stands for an end that could not be stored, as of a generation that was deleted.
 */
type EndedStatus = TerminalStatus | 'waiting';

/**
 * Why a run was aborted. `interrupted`: its account was suspended. `access`: the asker may no longer use the model.
 * `fenced`: another node has ended its generation.
 */
export type AbortReason = 'stopped' | 'interrupted' | 'access' | 'shutdown' | 'fenced';

/**
 * A generation while this node writes it: a message in parts, with the events and parts that are not yet in the log and in
 * Postgres, or a detached answer.
 */
export class GenerationRun<Spec extends RunSpec = RunSpec> {
  /** The kind of its spec, by which TypeScript tells the runs apart. */
  readonly kind: Spec['kind'];
  /** The model that answers: the asked one, or a fallback. */
  model: RunModel;
  readonly controller = new AbortController();
  abortReason: AbortReason | null = null;
  readonly parts = new RunParts();
  readonly notices = new RunNotices();
  readonly citations = new Citations();
  /** Tools of the thread's project, which the prompt offers. */
  projectTools: readonly CallableTool[] = [];
  /** What a generation without a message writes; null for a message. */
  readonly detached: DetachedAnswer | null;
  seq = 0;
  usage: RunState['usage'] = null;
  /** Tokens of the last call, prompt and answer, as the provider reported them. */
  contextTokens: number | null = null;
  /** Tokens and cost of all calls, estimated where the provider reports none. */
  readonly meter: UsageMeter;
  /** From the start to the first text or reasoning. */
  firstTokenMs: number | null = null;
  /** The connection that answers; null before it is chosen, for a local server and for the demo. */
  connection: ConnectionName | null = null;
  providerFailure: (ProviderFailure & { errorCode: ErrorCode }) | null = null;
  isSearchOffered = false;
  /** The models that failed before the present one was asked. */
  readonly attempts: FailedAttempt[] = [];
  /** Set when the end is being stored: only the closing event may follow. */
  isEnding = false;
  /** Resolves when the run has ended. Never rejects. */
  readonly ended: Promise<EndedStatus>;
  private resolveEnded!: (status: EndedStatus) => void;
  private readonly startedAt = performance.now();
  /** The time of the run before a suspension, in ms. */
  private earlierMs = 0;
  /** What each of its events begins with. */
  readonly eventIds: Pick<GenerationEvent, 'generationId' | 'threadId' | 'messageId'>;
  private unlogged: GenerationEvent[] = [];
  private lastLogTask: Promise<void> = Promise.resolve();
  readonly unsaved: UnsavedParts;
  /** Covers the whole run; its requests and statements are its children. */
  span: Span = NO_SPAN;

  constructor(
    readonly spec: Spec,
    /** Changes when a guest's generations move to an account. */
    public owner: Owner,
  ) {
    const { generationId, thread, model } = spec;
    const restored = spec.kind === 'message' ? spec.restored : undefined;
    this.kind = spec.kind;
    this.model = model;
    this.detached = thread === null ? new DetachedAnswer(model.parameters.sampling?.n ?? 1) : null;
    this.eventIds = { generationId, threadId: thread?.threadId ?? 0, messageId: thread?.messageId ?? 0 };
    this.unsaved = new UnsavedParts(generationId, this.parts);
    this.meter = new UsageMeter(model.pricing, restored?.meter);
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    if (restored !== undefined) this.restore(restored);
  }

  get id(): string {
    return this.spec.generationId;
  }

  /** Whom its calls act for. A guest may have become an account since the send. */
  get asker(): Asker {
    return { ...this.spec.asker, owner: this.owner, userId: ownerUserId(this.owner) };
  }

  /** For log lines and the list of failures. */
  get ids(): AnswerIds {
    const { asker } = this.spec;
    return {
      requestId: asker.request?.id,
      generationId: this.id,
      userId: ownerUserId(this.owner) ?? undefined,
      apiKeyId: asker.apiKey?.id,
      modelId: this.model.modelId,
      connectionId: this.connection?.id,
    };
  }

  get text(): string {
    return this.parts.textOf('text');
  }

  get reasoning(): string {
    return this.parts.textOf('reasoning');
  }

  get snapshot(): Checkpoint {
    return { text: this.text, reasoning: this.reasoning, parts: this.parts.all, seq: this.seq };
  }

  /** Seconds since the start. */
  get age(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  get recordedUsage(): RecordedUsage {
    const totalMs = Math.round(this.age * 1000) + this.earlierMs;
    return { ...this.meter.result, firstTokenMs: this.firstTokenMs, totalMs };
  }

  noteFirstToken(): void {
    this.firstTokenMs ??= Math.round(this.age * 1000);
  }

  /** @param images generated by the call */
  addUsage(usage: ProviderUsage, images = 0): void {
    this.meter.report(usage, images);
    const { promptTokens, completionTokens } = usage;
    this.contextTokens = sumOfTokens(promptTokens, completionTokens);
    this.usage = {
      promptTokens: sumOfTokens(this.usage?.promptTokens, promptTokens),
      completionTokens: sumOfTokens(this.usage?.completionTokens, completionTokens),
    };
  }

  /** Continues with another model, whose prices apply to all further calls. */
  changeModel(model: RunModel): void {
    this.model = model;
    this.meter.changePricing(model.pricing);
    this.connection = null;
  }

  noteAttempt(reason: ErrorCode): void {
    this.attempts.push({ modelId: this.model.modelId, reason, costUsd: this.meter.costOfPresent });
  }

  /** Records an event: it counts as the last one and waits for the log. */
  record(event: GenerationEvent): void {
    this.seq = event.seq;
    this.unlogged.push(event);
  }

  /** Runs log tasks one after another, so that a failed batch leaves no gap behind it. */
  inLogOrder(task: () => Promise<void>): Promise<void> {
    this.lastLogTask = this.lastLogTask.then(task);
    return this.lastLogTask;
  }

  takeUnlogged(): GenerationEvent[] {
    const events = this.unlogged;
    this.unlogged = [];
    return events;
  }

  /** Returns events that the log did not take. */
  putBackUnlogged(events: GenerationEvent[]): void {
    this.unlogged = [...events, ...this.unlogged];
  }

  /** The first reason wins. */
  abort(reason: AbortReason): void {
    this.abortReason ??= reason;
    this.controller.abort(reason);
  }

  /** Resolves `ended`. The first end counts. */
  markEnded(status: EndedStatus): void {
    this.resolveEnded(status);
  }

  /** What the run that continues this one takes over, see `restore`. */
  get state(): RunState {
    return {
      usage: this.usage,
      meter: this.meter.state,
      recorded: this.recordedUsage,
      notices: this.notices.all,
      isSearchOffered: this.isSearchOffered,
      citations: this.citations.state,
      attempts: this.attempts,
    };
  }

  /** Takes over where an earlier run stood; its meter has been taken over before. */
  private restore({ checkpoint, usage, recorded, notices, isSearchOffered, citations, attempts }: RestoredRun): void {
    this.isSearchOffered = isSearchOffered;
    this.attempts.push(...attempts);
    this.parts.restore(checkpoint.parts);
    this.seq = checkpoint.seq;
    this.unsaved.markSaved();
    this.usage = usage;
    this.firstTokenMs = recorded.firstTokenMs;
    this.earlierMs = recorded.totalMs ?? 0;
    this.notices.add(...notices);
    this.citations.restore(citations ?? { last: this.parts.sources.length, passages: [] });
  }
}

export type MessageRun = GenerationRun<MessageSpec>;
export type ProgramRun = GenerationRun<ProgramSpec>;
export type TextRun = MessageRun | ProgramRun;
export type ImageRun = GenerationRun<ImageSpec>;
export type RelayRun = GenerationRun<RelaySpec>;
export type AnyRun = TextRun | ImageRun | RelayRun;

/** Remarks about an answer for its reader, each code once. */
export class RunNotices {
  private readonly byCode = new Map<MessageNotice['code'], MessageNotice>();

  add(...notices: readonly MessageNotice[]): void {
    for (const notice of notices) this.byCode.set(notice.code, notice);
  }

  has(code: MessageNotice['code']): boolean {
    return this.byCode.has(code);
  }

  remove(code: MessageNotice['code']): void {
    this.byCode.delete(code);
  }

  get all(): MessageNotice[] {
    return [...this.byCode.values()];
  }
}
