import { type GenerationEvent, LIMITS, type ReasoningEffort, type TerminalStatus } from '@tanya/contract';
import type { Owner } from '../../../identity/identity.js';
import type { ProviderMessage, Sampling } from '../../../providers/provider.js';
import type { Spender } from '../../../quota/quota.service.js';
import type { TextChunk } from '../store/generation-store.js';
import { type DeltaType, toStorableText, truncate } from './delta-text.js';

/** The end of a run, for callers that wait for it. */
export interface RunEnd {
  status: TerminalStatus;
  text: string;
}

/** The AI message that a run writes. */
export interface AnswerTarget {
  threadId: number;
  messageId: number;
}

/** Result of a call that is not chat. */
export interface CallResult {
  /** Kept with the generation for its idempotency key; null keeps nothing. */
  content: string | null;
  connection: string | null;
  promptTokens: number | null;
}

export interface RunSpec {
  generationId: string;
  spender: Spender;
  modelId: string;
  /** The connection of the model; null chooses by the configured connections. */
  connectionId: number | null;
  /** Whether the error of a failed answer names its cause: for admins. */
  showsCause: boolean;
  /** null for a detached generation (public API, image dialog). */
  target: AnswerTarget | null;
  /** Loads the prompt; `shrink` halves it after the provider refused its length, null when it cannot be halved. */
  prompt: (owner: Owner, shrink: boolean) => Promise<{ messages: ProviderMessage[]; notice: string | null } | null>;
  /** Replaces the streamed answer: a call that is not chat. Its result is the answer that is stored. */
  call?: (signal: AbortSignal) => Promise<CallResult>;
  sampling?: Sampling;
  maxTokens?: number;
  reasoningEffort?: ReasoningEffort;
}

/** Why a run was aborted. `fenced`: another node has ended its generation. */
export type AbortReason = 'stopped' | 'shutdown' | 'fenced';

/** A generation while this node writes it: its text, and the events and text that are not yet in the log and in Postgres. */
export class GenerationRun {
  readonly controller = new AbortController();
  abortReason: AbortReason | null = null;
  text = '';
  reasoning = '';
  /** The last sequence number. */
  seq = 0;
  /** Whether the answer exceeded `LIMITS.answerCharacters`. */
  isCut = false;
  usage: { promptTokens: number; completionTokens: number } | null = null;
  finishReason: 'stop' | 'length' = 'stop';
  /** Name of the connection that answers; null for a local server and the demo. */
  connection: string | null = null;
  /** Set when the end is being stored: only the closing event may follow. */
  isEnding = false;
  /** Resolves when the run has ended. Never rejects. */
  readonly ended: Promise<RunEnd>;
  private resolveEnded!: (end: RunEnd) => void;
  private readonly startedAt = performance.now();
  private readonly base: { generationId: string; threadId: number; messageId: number };
  private unlogged: GenerationEvent[] = [];
  private lastLogTask: Promise<void> = Promise.resolve();
  private readonly notices: string[] = [];
  private unconfirmed: TextChunk | null = null;
  private savedText = 0;
  private savedReasoning = 0;
  private readonly listeners = new Set<(event: GenerationEvent) => void>();

  constructor(
    readonly spec: RunSpec,
    /** Changes when a guest's generations move to an account. */
    public owner: Owner,
  ) {
    const { generationId, target } = spec;
    this.base = { generationId, threadId: target?.threadId ?? 0, messageId: target?.messageId ?? 0 };
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
  }

  get id(): string {
    return this.spec.generationId;
  }

  /** Whether the run writes no message: nothing is logged, checkpointed or emitted. */
  get isDetached(): boolean {
    return this.spec.target === null;
  }

  /** Seconds since the start. */
  get age(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  /** Remarks about the answer for its reader, null without any. */
  get notice(): string | null {
    return this.notices.length === 0 ? null : this.notices.join(' ');
  }

  addNotice(sentence: string | null): void {
    if (sentence !== null && !this.notices.includes(sentence)) this.notices.push(sentence);
  }

  /**
   * Appends a delta and records its event. Text beyond the limit of an answer is dropped and sets `isCut`.
   * @returns null when no storable text is left
   */
  append(type: DeltaType, delta: string): GenerationEvent | null {
    const room = LIMITS.answerCharacters - (type === 'text-delta' ? this.text : this.reasoning).length;
    const text = truncate(toStorableText(delta), room);
    if (delta.length > room) this.isCut = true;
    if (text === '') return null;
    if (type === 'text-delta') this.text += text;
    else this.reasoning += text;
    return this.record({ ...this.base, seq: this.seq + 1, type, text });
  }

  /** Records an event: it counts as the last one, waits for the log and reaches the listeners of this process. */
  record(event: GenerationEvent): GenerationEvent {
    this.seq = event.seq;
    if (!this.isDetached) this.unlogged.push(event);
    for (const listener of this.listeners) listener(event);
    return event;
  }

  /** Runs log tasks one after another, so that a failed batch leaves no gap behind it. */
  inLogOrder(task: () => Promise<void>): Promise<void> {
    this.lastLogTask = this.lastLogTask.then(task);
    return this.lastLogTask;
  }

  /** Takes the events that are not in the log. */
  takeUnlogged(): GenerationEvent[] {
    const events = this.unlogged;
    this.unlogged = [];
    return events;
  }

  /** Returns events that the log did not take. */
  putBackUnlogged(events: GenerationEvent[]): void {
    this.unlogged = [...events, ...this.unlogged];
  }

  /**
   * The text that is not in Postgres, null without any. The same chunk is returned until `confirmSaved`: its commit may
   * have succeeded without a confirmation, and its seq makes the repetition harmless.
   */
  takeUnsaved(): TextChunk | null {
    if (this.unconfirmed !== null) return this.unconfirmed;
    const text = this.text.slice(this.savedText);
    const reasoning = this.reasoning.slice(this.savedReasoning);
    if (text === '' && reasoning === '') return null;
    this.unconfirmed = { generationId: this.id, seq: this.seq, text, reasoning };
    this.savedText = this.text.length;
    this.savedReasoning = this.reasoning.length;
    return this.unconfirmed;
  }

  confirmSaved(): void {
    this.unconfirmed = null;
  }

  /** Subscribes to the events inside this process. @returns unsubscribes */
  listen(listener: (event: GenerationEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The first reason wins. */
  abort(reason: AbortReason): void {
    this.abortReason ??= reason;
    this.controller.abort(reason);
  }

  /** Resolves `ended`; later calls have no effect. */
  settle(end: RunEnd): void {
    this.resolveEnded(end);
    this.listeners.clear();
  }
}
