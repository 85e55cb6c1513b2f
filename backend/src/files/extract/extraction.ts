import type { DocumentFormat } from '../file-kind.js';

/** A model reads no more of one document. */
export const MAX_CHARACTERS = 200_000;

/** Why there is no text; `hostile` is a document made to exhaust whoever opens it. */
export type ExtractionProblem = 'encrypted' | 'empty' | 'broken' | 'hostile';

/** How a reader's process ends that needed more than it may have. */
export const OUT_OF_MEMORY = 9;

export interface ExtractionTask {
  path: string;
  format: DocumentFormat;
}

export type ExtractionResult = { text: string; isCut: boolean } | { problem: ExtractionProblem };

/** Ends the reading of a document, for a reason that has a name. */
export class ExtractionError extends Error {
  constructor(readonly problem: ExtractionProblem) {
    super(`the document is ${problem}`);
  }
}

/** Collects text up to the limit, and tells readers when to stop. */
export class TextCollector {
  private readonly parts: string[] = [];
  private length = 0;

  get isFull(): boolean {
    return this.length > MAX_CHARACTERS;
  }

  add(text: string): void {
    if (this.isFull) return;
    this.parts.push(text);
    this.length += text.length;
  }

  get text(): string {
    return this.parts.join('');
  }
}
