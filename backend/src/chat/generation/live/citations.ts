import type { Passage } from '../../../tools/tool.js';

export interface CitationsState {
  last: number;
  passages: [number: number, passage: Passage][];
}

/** The numbers of an answer's citations. Web sources and passages of files share them; a number is never given twice. */
export class Citations {
  private readonly numbers = new Map<string, number>();
  private readonly passages = new Map<number, Passage>();
  private last = 0;

  /** Whether the answer was given passages, so that its text may cite them. */
  get hasPassages(): boolean {
    return this.passages.size > 0;
  }

  next(): number {
    this.last += 1;
    return this.last;
  }

  /** The number of a passage: the same passage keeps its number, and the longest text of it is what an answer cites. */
  numberOf(passage: Passage): number {
    const key = `${passage.fileId}:${passage.section}:${passage.start}`;
    const number = this.numbers.get(key) ?? this.next();
    this.numbers.set(key, number);
    if (passage.text.length >= (this.passages.get(number)?.text.length ?? 0)) this.passages.set(number, passage);
    return number;
  }

  passage(number: number): Passage | undefined {
    return this.passages.get(number);
  }

  /** What `restore` takes. */
  get state(): CitationsState {
    return { last: this.last, passages: [...this.passages].map(([number, passage]) => [number, shortened(passage)]) };
  }

  restore({ last, passages }: CitationsState): void {
    this.last = last;
    for (const [number, passage] of passages) {
      this.numbers.set(`${passage.fileId}:${passage.section}:${passage.start}`, number);
      this.passages.set(number, passage);
    }
  }
}

/** Characters of a passage that a reader sees as its quote. */
const MAX_QUOTE = 1_000;

const shortened = (passage: Passage): Passage => ({
  ...passage,
  text: passage.text.slice(0, MAX_QUOTE).toWellFormed(),
});
