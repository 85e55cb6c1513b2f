import type { GenerationEvent, MessagePart, SourcePart, ToolPart } from '@tanya/contract';
import { fileIdOf } from '../../../files/file-name.js';
import { toStorableText, truncate } from '../../../platform/json/storable-json.js';
import type { ToolResult, ToolSource } from '../../../tools/tool.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { DeltaType } from '../live/run-parts.js';
import type { TextChunk } from '../store/generation-store.js';
import { fittingQuote } from './fitting-quote.js';
import type { RunServices } from './run-services.js';
import { passageText } from '../prompt/project-text.js';
import { passagePart, sourcePart, sourceText, withResult } from './tool-part.js';

/** Sources and images of one message. */
const MAX_SOURCES = 100;
const MAX_IMAGES = 16;

const MAX_ALT = 1_000;

/** Writes the answer of one run: adds to its parts, sends each change to its owner, and stores checkpoints. */
export class AnswerWriter {
  constructor(
    private readonly run: GenerationRun,
    private readonly services: Pick<RunServices, 'sockets' | 'ownership' | 'generations'>,
  ) {}

  append(type: DeltaType, delta: string): void {
    const event = this.run.append(type, delta);
    if (event !== null) this.emit(event);
  }

  /** Turns the text parts from an index on into reasoning. */
  turnTextIntoReasoning(from: number): void {
    for (const event of this.run.turnTextIntoReasoning(from)) this.emit(event);
  }

  addPart(part: MessagePart): void {
    this.emit(this.run.addPart(part));
  }

  changeCall(call: ToolPart): ToolPart {
    this.emit(this.run.changeCall(call));
    return call;
  }

  /** Adds a source, unless the message has its address. @returns its part; null for one that cannot be shown */
  addSource(source: ToolSource): SourcePart | null {
    const known = this.run.parts.sources;
    const part = sourcePart(source, 0);
    if (part === null) return null;
    const same = known.find(({ url }) => url === part.url);
    if (same !== undefined) return same;
    if (known.length === MAX_SOURCES) return null;
    const numbered = { ...part, index: this.run.citations.next() };
    this.addPart(numbered);
    return numbered;
  }

  /** Whether the answer was given a source or a passage with the number. */
  isKnown(number: number): boolean {
    const { citations, parts } = this.run;
    return citations.passage(number) !== undefined || parts.sources.some(({ index }) => index === number);
  }

  /** Adds the source of a passage that the text cites, once. @param claim what the text says there */
  addPassage(number: number, claim: string): void {
    const passage = this.run.citations.passage(number);
    const { sources } = this.run.parts;
    if (passage === undefined || sources.length === MAX_SOURCES || sources.some(({ index }) => index === number))
      return;
    this.addPart(passagePart(number, { ...passage, text: fittingQuote(passage.text, claim) }));
  }

  /**
   * Ends a call: its sources and images become parts, and its own part gets the result with the numbered sources.
   * @param ms how long it ran
   */
  endCall(callId: string, result: ToolResult, ms: number): ToolPart {
    const { parts } = this.run;
    const sources = (result.sources ?? []).flatMap((source) => this.addSource(source) ?? []);
    const passages = (result.passages ?? []).map((passage) =>
      passageText(this.run.citations.numberOf(passage), passage),
    );
    const text = [result.text, ...sources.map(sourceText), ...passages].filter(Boolean).join('\n\n');
    const { isError, isCut } = result;
    const ended = withResult({ ...parts.call(callId)!, ms }, { text, isError, isCut }, parts.resultLength);
    this.changeCall(ended);
    for (const image of result.images ?? []) this.addImage(image);
    return ended;
  }

  /** Stores all that was written so far. The interval may store it too: a chunk that is stored twice is one. */
  async checkpoint(): Promise<void> {
    for (let chunk = this.run.takeUnsaved(); chunk !== null; chunk = this.run.takeUnsaved()) await this.save(chunk);
  }

  /**
   * Stores all that was written so far together with other changes, in one commit: `write` gets the last chunk, null
   * without one. A chunk of a save that was not confirmed is stored before, because it ends earlier.
   */
  async checkpointWith<T>(write: (chunk: TextChunk | null) => Promise<T>): Promise<T> {
    let chunk = this.run.takeUnsaved();
    while (chunk !== null && chunk.seq < this.run.seq) {
      await this.save(chunk);
      chunk = this.run.takeUnsaved();
    }
    const result = await write(chunk);
    if (chunk !== null) this.run.confirmSaved(chunk);
    return result;
  }

  private async save(chunk: TextChunk): Promise<void> {
    await this.services.generations.saveChunks([chunk]);
    this.run.confirmSaved(chunk);
  }

  private addImage({ url, alt }: { url: string; alt: string }): void {
    if (!url.startsWith('/api/files/') || fileIdOf(url) === null) return;
    if (this.run.parts.count('image') === MAX_IMAGES) return;
    this.addPart({ type: 'image', url, alt: truncate(toStorableText(alt), MAX_ALT) });
  }

  /** While ownership is unverified nothing is emitted: clients detect the sequence gap and resume. */
  private emit(event: GenerationEvent): void {
    const { run } = this;
    if (run.abortReason === 'fenced' || !this.services.ownership.isVerified) return;
    this.services.sockets.emit(run.owner, 'generation:event', event);
  }
}
