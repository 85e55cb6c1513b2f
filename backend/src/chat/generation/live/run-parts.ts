import { LIMITS, type MessagePart, type ReasoningPart, type SourcePart, type ToolPart } from '@tanya/contract';
import { toStorableText, truncate } from '../../../platform/json/storable-json.js';
import type { ProviderEvent } from '../../../providers/provider.js';
import { type AnswerPart, arePlain, type PartEntry, toStoredPart } from '../../messages/stored-parts.js';
import { endOpenCalls, isAllowed } from '../store/call-states.js';
import type { TextChunk } from '../store/generation-store.js';

export type DeltaType = Extract<ProviderEvent, { type: 'text-delta' | 'reasoning-delta' }>['type'];

type TextType = 'text' | 'reasoning';

/** The parts of an answer while it is written, and those that changed since the last checkpoint. */
export class RunParts {
  /** Whether text or reasoning exceeded `LIMITS.answerCharacters`. */
  isCut = false;
  /** Whether the provider names the reasoning that follows `reasoning_content`. */
  hasReasoningContent = false;
  private readonly parts: AnswerPart[] = [];
  private readonly lengths: Record<TextType, number> = { text: 0, reasoning: 0 };
  private readonly changed = new Set<number>();
  /** When the last part started, by performance.now(). */
  private lastSince = 0;

  /** The parts now. Their objects do not change later. */
  get all(): AnswerPart[] {
    return this.parts.map((part) => (part.type === 'text' || part.type === 'reasoning' ? { ...part } : part));
  }

  get length(): number {
    return this.parts.length;
  }

  textOf(type: TextType): string {
    return this.parts.reduce((text, part) => (part.type === type ? text + part.text : text), '');
  }

  lengthOf(type: TextType): number {
    return this.lengths[type];
  }

  get areVisible(): boolean {
    return areVisible(this.parts);
  }

  /**
   * Extends the last part, or begins one. Text beyond the limit of an answer is dropped and sets `isCut`.
   * @returns the text that was added and its part; null when no storable text is left
   */
  append(deltaType: DeltaType, delta: string): { text: string; part: number } | null {
    const type = deltaType === 'text-delta' ? 'text' : 'reasoning';
    const room = LIMITS.answerCharacters - this.lengths[type];
    const text = truncate(toStorableText(delta), room);
    if (delta.length > room) this.isCut = true;
    if (text === '') return null;
    this.lengths[type] += text.length;
    const last = this.parts.at(-1);
    if (last?.type === type) last.text += text;
    else if (type === 'reasoning' && this.hasReasoningContent) this.add({ type, text, name: 'reasoning_content' });
    else this.add({ type, text });
    const part = this.parts.length - 1;
    this.changed.add(part);
    return { text, part };
  }

  add(part: AnswerPart): number {
    this.endReasoning();
    this.lastSince = performance.now();
    const index = this.parts.push(part) - 1;
    this.changed.add(index);
    return index;
  }

  /**
   * Turns the text parts from an index on into reasoning: their provider has said too late what they are.
   * @returns them with their indexes
   */
  turnTextIntoReasoning(from: number): [index: number, part: ReasoningPart][] {
    const turned = this.parts.flatMap((part, index): [number, ReasoningPart][] =>
      index >= from && part.type === 'text' ? [[index, { type: 'reasoning', text: part.text.trim() }]] : [],
    );
    for (const [index, part] of turned) {
      this.lengths.text -= this.parts[index]?.type === 'text' ? this.parts[index].text.length : 0;
      this.lengths.reasoning += part.text.length;
      this.parts[index] = { ...part };
    }
    for (const index of this.parts.keys()) this.changed.add(index);
    return turned;
  }

  /** Takes over the parts of a suspended answer, which are stored already. */
  restore(parts: readonly AnswerPart[]): void {
    for (const part of parts) {
      this.parts.push({ ...part });
      if (part.type === 'text' || part.type === 'reasoning') this.lengths[part.type] += part.text.length;
    }
  }

  replaceCall(call: ToolPart): number {
    const index = this.parts.findIndex((part) => part.type === 'tool' && part.callId === call.callId);
    this.parts[index] = call;
    this.changed.add(index);
    return index;
  }

  count(type: MessagePart['type']): number {
    return this.parts.filter((part) => part.type === type).length;
  }

  get sources(): SourcePart[] {
    return this.parts.filter((part) => part.type === 'source');
  }

  /** Bytes of the results and errors of all calls as JSON. */
  get resultBytes(): number {
    const texts = this.parts.map((part) => (part.type === 'tool' ? (part.result ?? part.error ?? '') : ''));
    return texts.reduce((sum, text) => sum + (text === '' ? 0 : Buffer.byteLength(JSON.stringify(text))), 0);
  }

  /** The calls that the user has allowed and that do not run yet. */
  get allowedCalls(): ToolPart[] {
    return this.parts.filter((part): part is ToolPart => part.type === 'tool' && isAllowed(part));
  }

  call(callId: string): ToolPart | undefined {
    return this.parts.find((part): part is ToolPart => part.type === 'tool' && part.callId === callId);
  }

  /** The parts for the final message: reasoning has its duration, and a call that did not end is interrupted. */
  finish(): AnswerPart[] {
    this.endReasoning();
    return endOpenCalls(this.all, 'interrupted');
  }

  /** Takes the parts to store with a checkpoint; null while text and reasoning alone give them. */
  takeChanged(): PartEntry[] | null {
    if (arePlain(this.parts)) return null;
    const entries = [...this.changed]
      .sort((one, other) => one - other)
      .map((index): PartEntry => [index, toStoredPart(this.parts[index]!)]);
    this.changed.clear();
    return entries.length === 0 ? null : entries;
  }

  private endReasoning(): void {
    const last = this.parts.at(-1);
    if (last?.type === 'reasoning') last.ms ??= Math.round(performance.now() - this.lastSince);
  }
}

/** Whether a reader sees anything of an answer: reasoning, text, a step with a tool or an image. */
export const areVisible = (parts: readonly MessagePart[]): boolean =>
  parts.some((part) => (part.type !== 'reasoning' && part.type !== 'text') || part.text !== '');

/** The text and parts of a run that are not in Postgres. */
export class UnsavedParts {
  private unconfirmed: TextChunk | null = null;
  /** Lengths of the text and reasoning in Postgres. */
  private saved = { text: 0, reasoning: 0 };
  /** Whether the next chunk replaces all before it. */
  private isWhole = false;

  constructor(
    private readonly generationId: string,
    private readonly parts: RunParts,
  ) {}

  /**
   * Takes the next chunk, null without any. The same chunk is returned until `confirm`: its commit may have succeeded without
   * a confirmation, and its seq makes the repetition harmless.
   */
  nextChunk(seq: number): TextChunk | null {
    if (this.unconfirmed !== null) return this.unconfirmed;
    const parts = this.parts.takeChanged();
    const text = this.textAfter('text');
    const reasoning = this.textAfter('reasoning');
    if (text === '' && reasoning === '' && parts === null) return null;
    const { generationId, isWhole } = this;
    this.unconfirmed = { generationId, seq, text, reasoning, parts, isWhole };
    this.isWhole = false;
    this.markSaved();
    return this.unconfirmed;
  }

  /** @param chunk that was stored; two savers may store the same one */
  confirm(chunk: TextChunk): void {
    if (this.unconfirmed === chunk) this.unconfirmed = null;
  }

  /** Lets the next chunk replace all before it: their text has changed. */
  restart(): void {
    this.isWhole = true;
    this.saved = { text: 0, reasoning: 0 };
  }

  markSaved(): void {
    this.saved = { text: this.parts.lengthOf('text'), reasoning: this.parts.lengthOf('reasoning') };
  }

  private textAfter(type: 'text' | 'reasoning'): string {
    const from = this.saved[type];
    return this.parts.lengthOf(type) === from ? '' : this.parts.textOf(type).slice(from);
  }
}
