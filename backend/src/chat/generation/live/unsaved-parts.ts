import type { TextChunk } from '../store/generation-store.js';
import type { RunParts } from './run-parts.js';

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
