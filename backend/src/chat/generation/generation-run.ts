import { type GenerationEvent, LIMITS, type TerminalStatus } from '@tanya/contract';
import type { Owner } from '../../platform/session/identity.js';
import type { ProviderMessage, Sampling } from '../../providers/provider.js';
import type { Spender } from '../../quota/quota.service.js';

/** How a generation ended, for whoever waits for it. */
export interface Ending {
  status: TerminalStatus;
  text: string;
}

/** What a run writes to; null for the public API, whose answers belong to no thread. */
export interface AnswerTarget {
  threadId: number;
  messageId: number;
}

export interface RunSpec {
  generationId: string;
  spender: Spender;
  modelId: string;
  target: AnswerTarget | null;
  /** Loads what the model gets to read; `shrink` halves it after a refusal for length, null where that can't be. */
  prompt: (owner: Owner, shrink: boolean) => Promise<{ messages: ProviderMessage[]; notice: string | null } | null>;
  sampling?: Sampling;
  maxTokens?: number;
}

/** Text between two positions, on its way to Postgres. */
export interface TextChunk {
  generationId: string;
  seq: number;
  text: string;
  reasoning: string;
}

/** Why a run was told to end before its provider was done. */
export type AbortReason = 'stopped' | 'shutdown' | 'fenced';

const NUL = String.fromCharCode(0);

/** Postgres refuses NUL and halves of characters in text, and nobody can see one. Most pieces have neither. */
function storable(text: string): string {
  const visible = text.includes(NUL) ? text.replaceAll(NUL, '') : text;
  return visible.isWellFormed() ? visible : visible.toWellFormed();
}

/** The beginning of a text, never half a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** One generation while this process writes it: what has arrived, and what is not yet in the log and in Postgres. */
export class GenerationRun {
  readonly controller = new AbortController();
  /** Why it was told to end; null while it may go on. */
  abortReason: AbortReason | null = null;
  private readonly startedAt = performance.now();
  text = '';
  reasoning = '';
  seq = 0;
  /** Set once more came than an answer may hold. */
  isCut = false;
  usage: { promptTokens: number; completionTokens: number } | null = null;
  finishReason: 'stop' | 'length' = 'stop';
  /** Set once its end is being stored: nothing more is written or emitted. */
  ending = false;
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<Ending>;
  /** The part of every event that says where it belongs. */
  readonly address: { generationId: string; threadId: number; messageId: number };
  private resolveEnded!: (ending: Ending) => void;
  private pendingLog: GenerationEvent[] = [];
  private lastLogged: Promise<void> = Promise.resolve();
  private readonly notices: string[] = [];
  private unconfirmed: TextChunk | null = null;
  private savedText = 0;
  private savedReasoning = 0;
  private readonly listeners = new Set<(event: GenerationEvent) => void>();

  constructor(
    readonly spec: RunSpec,
    /** Changes when an account takes over a guest's things. */
    public owner: Spender['owner'],
  ) {
    const { generationId, target } = spec;
    this.address = { generationId, threadId: target?.threadId ?? 0, messageId: target?.messageId ?? 0 };
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
  }

  get id(): string {
    return this.spec.generationId;
  }

  /** What the reader should know of the answer; null when there is nothing. */
  get notice(): string | null {
    return this.notices.length === 0 ? null : this.notices.join(' ');
  }

  note(sentence: string | null): void {
    if (sentence !== null && !this.notices.includes(sentence)) this.notices.push(sentence);
  }

  /**
   * Takes a piece of the answer and gives it its place in the order. What no longer fits is dropped and marked by `isCut`.
   * @returns null when there is nothing to show
   */
  append(type: 'text-delta' | 'reasoning-delta', piece: string): GenerationEvent | null {
    const room = LIMITS.answerCharacters - (type === 'text-delta' ? this.text : this.reasoning).length;
    const text = cut(storable(piece), room);
    if (piece.length > room) this.isCut = true;
    if (text === '') return null;
    if (type === 'text-delta') this.text += text;
    else this.reasoning += text;
    const { generationId, threadId, messageId } = this.address;
    return this.record({ generationId, threadId, messageId, seq: this.seq + 1, type, text });
  }

  /** Puts an event into the order: counted, logged, and told to whoever listens here. */
  record(event: GenerationEvent): GenerationEvent {
    this.seq = event.seq;
    if (this.spec.target !== null) this.pendingLog.push(event);
    for (const listener of this.listeners) listener(event);
    return event;
  }

  /** Batches reach the log one after another, so that one that fails leaves no hole behind it. */
  inLogOrder(task: () => Promise<void>): Promise<void> {
    this.lastLogged = this.lastLogged.then(task);
    return this.lastLogged;
  }

  /** Events since the last call, for the log. */
  takeLogged(): GenerationEvent[] {
    const events = this.pendingLog;
    this.pendingLog = [];
    return events;
  }

  /** After a log that could not be reached: they are tried again. */
  putBack(events: GenerationEvent[]): void {
    this.pendingLog = [...events, ...this.pendingLog];
  }

  /**
   * Text that is not yet in Postgres; null when there is none. Until `saved` confirms it, the same chunk comes again as it
   * was: Postgres may have stored it and failed to say so, and knows it by its seq.
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

  /** What `takeUnsaved` gave last is in Postgres. */
  saved(): void {
    this.unconfirmed = null;
  }

  /** Follows the answer in this process, without the socket. @returns stops following */
  listen(listener: (event: GenerationEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  abort(reason: AbortReason): void {
    this.abortReason ??= reason;
    this.controller.abort(reason);
  }

  /** Seconds since it began. */
  get age(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  settle(ending: Ending): void {
    this.resolveEnded(ending);
    this.listeners.clear();
  }
}
