import type { DocumentFormat } from '../inspection/file-kind.js';

/** Characters of one document that are stored for models. */
export const MAX_CHARACTERS = 200_000;

/** Why a document has no text; `hostile`: it is made to exhaust memory or time of its reader. */
export type ExtractionProblem = 'encrypted' | 'empty' | 'broken' | 'hostile';

export interface ExtractionTask {
  path: string;
  format: DocumentFormat;
}

/** `isCut`: the document has more than `MAX_CHARACTERS`. */
export type ExtractionResult = { text: string; isCut: boolean } | { problem: ExtractionProblem };

/** Stops the reading of a document with a problem. */
export class ExtractionError extends Error {
  constructor(readonly problem: ExtractionProblem) {
    super(`the document is ${problem}`);
  }
}

/** Collects text up to `MAX_CHARACTERS`. Readers stop when it is full. */
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
