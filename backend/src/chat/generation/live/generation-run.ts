import type { ErrorCode, GenerationEvent, MessageNotice, ProviderFailure, TerminalStatus } from '@tanya/contract';
import { type AnswerIds, type Owner, ownerUserId } from '../../../identity/identity.js';
import { NO_SPAN, type Span } from '../../../platform/observability/tracing.js';
import type { ProviderUsage } from '../../../providers/provider.js';
import type { ConnectionName } from '../../../providers/registry.js';
import type { RecordedUsage } from '../../../quota/cost.js';
import type { Attempt, Checkpoint } from '../store/generation-store.js';
import { DetachedAnswer } from './detached-answer.js';
import type { CallableTool } from '../../../tools/tool.js';
import { Citations } from './citations.js';
import { RunParts } from './run-parts.js';
import type { RunModel, RunSpec, SuspendedRun } from './run-spec.js';
import { UnsavedParts } from './unsaved-parts.js';
import { sumOfTokens, UsageMeter } from '../../../quota/usage-meter.js';

export interface RunEnd {
  /** `waiting`: the run is suspended, and its generation goes on after approvals. */
  status: TerminalStatus | 'waiting';
  text: string;
  /** False when the end could not be stored, as of a generation that was deleted. */
  isStored: boolean;
}

/**
 * Why a run was aborted. `interrupted`: its account was suspended. `access`: the asker may no longer use the model.
 * `fenced`: another node has ended its generation.
 */
export type AbortReason = 'stopped' | 'interrupted' | 'access' | 'shutdown' | 'fenced';

/**
 * A generation while this node writes it: a message in parts, with the events and parts that are not yet in the log and in
 * Postgres, or a detached answer.
 */
export class GenerationRun {
  readonly controller = new AbortController();
  abortReason: AbortReason | null = null;
  readonly parts = new RunParts();
  readonly notices = new RunNotices();
  /** The numbers of its sources and passages. */
  readonly citations = new Citations();
  /** Tools of the thread's project, which the prompt offers. */
  projectTools: readonly CallableTool[] = [];
  /** What a generation without a message writes; null for a message. */
  readonly detached: DetachedAnswer | null;
  seq = 0;
  /** Tokens of all steps as the provider reported them. */
  usage: { promptTokens: number; completionTokens: number } | null = null;
  /** Tokens of the last call, prompt and answer, as the provider reported them. */
  contextTokens: number | null = null;
  /** Tokens and cost of all calls, estimated where the provider reports none. */
  readonly meter: UsageMeter;
  /** From the start to the first text or reasoning. */
  firstTokenMs: number | null = null;
  /** The connection that answers; null before it is chosen, for a local server and for the demo. */
  connection: ConnectionName | null = null;
  providerFailure: (ProviderFailure & { errorCode: ErrorCode }) | null = null;
  isSearchOffered: boolean;
  /** The models that failed before the present one was asked. */
  readonly attempts: Attempt[] = [];
  /** Set when the end is being stored: only the closing event may follow. */
  isEnding = false;
  /** Resolves when the run has ended. Never rejects. */
  readonly ended: Promise<RunEnd>;
  private resolveEnded!: (end: RunEnd) => void;
  private readonly startedAt = performance.now();
  /** What each of its events begins with. */
  readonly eventIds: Pick<GenerationEvent, 'generationId' | 'threadId' | 'messageId'>;
  private unlogged: GenerationEvent[] = [];
  private lastLogTask: Promise<void> = Promise.resolve();
  /** What is not in Postgres. */
  readonly unsaved: UnsavedParts;
  /** Covers the whole run; its requests and statements are its children. */
  span: Span = NO_SPAN;

  constructor(
    /** Its model is another one while a fallback answers. */
    public spec: RunSpec,
    /** Changes when a guest's generations move to an account. */
    public owner: Owner,
  ) {
    const { generationId, target } = spec;
    this.detached = target === null ? new DetachedAnswer(spec.sampling?.n ?? 1) : null;
    this.eventIds = { generationId, threadId: target?.threadId ?? 0, messageId: target?.messageId ?? 0 };
    this.unsaved = new UnsavedParts(generationId, this.parts);
    this.meter = new UsageMeter(spec.pricing, spec.suspended?.meter);
    this.isSearchOffered = spec.suspended?.isSearchOffered ?? false;
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    if (spec.suspended !== undefined) this.restore(spec.suspended);
  }

  get id(): string {
    return this.spec.generationId;
  }

  /** For log lines and the list of failures. */
  get ids(): AnswerIds {
    const { asker, modelId } = this.spec;
    return {
      requestId: asker.request?.id,
      generationId: this.id,
      userId: ownerUserId(this.owner) ?? undefined,
      apiKeyId: asker.apiKey?.id,
      modelId,
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
    const totalMs = Math.round(this.age * 1000) + (this.spec.suspended?.recorded.totalMs ?? 0);
    return { ...this.meter.result, firstTokenMs: this.firstTokenMs, totalMs };
  }

  /** Notes the first text, reasoning or call that is sent. */
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
    this.spec = { ...this.spec, ...model };
    this.meter.changePricing(model.pricing);
    this.connection = null;
  }

  /** Notes that the present model has failed. */
  noteAttempt(reason: ErrorCode): void {
    this.attempts.push({ modelId: this.spec.modelId, reason, costUsd: this.meter.costOfPresent });
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
  markEnded(end: RunEnd): void {
    this.resolveEnded(end);
  }

  private restore({ checkpoint, usage, recorded, noticeCodes, citations, attempts = [] }: SuspendedRun): void {
    this.attempts.push(...attempts);
    this.parts.restore(checkpoint.parts);
    this.seq = checkpoint.seq;
    this.unsaved.markSaved();
    this.usage = usage;
    this.firstTokenMs = recorded.firstTokenMs;
    this.notices.add(...noticeCodes);
    // An earlier version numbered the sources by their count.
    this.citations.restore(citations ?? { last: this.parts.sources.length, passages: [] });
  }
}

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
