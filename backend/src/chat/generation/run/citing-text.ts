import type { ProviderEvent } from '../../../providers/provider.js';
import type { GenerationRun } from '../live/generation-run.js';
import { CitationFilter } from '../prompt/citation-filter.js';
import type { AnswerWriter } from './answer-writer.js';
import { claimBefore } from './fitting-quote.js';

/** What a text says with one citation, at most. */
const MAX_CLAIMS = 10;

/** Characters of the cited passages of one step in which quotes are looked for: all at once in one turn of the event loop. */
const MAX_FITTED = 50_000;

/** Numbers of passages, with what the text says before them. */
type Cited = Map<number, string[]>;

/**
 * Writes the text of a step, whose citations go through a filter if the answer was given passages of files. The passages that
 * it cites become sources at its end.
 */
export class CitingText {
  /** null before the text of a step, and without passages. */
  private filter: CitationFilter | null = null;
  private cited: Cited = new Map();

  constructor(
    private readonly run: GenerationRun,
    private readonly writer: AnswerWriter,
  ) {}

  append({ type, text }: Extract<ProviderEvent, { type: 'text-delta' | 'reasoning-delta' }>): void {
    if (type === 'reasoning-delta' || !this.run.citations.hasPassages) {
      this.writer.append(type, text);
      return;
    }
    this.filter ??= new CitationFilter(
      (number) => this.writer.isKnown(number),
      (number, before) => this.noteCited(number, before),
    );
    const shown = this.filter.push(text);
    if (shown !== '') this.writer.append(type, shown);
  }

  /** Ends the text of a step: the passages that it cites become sources. */
  end(): void {
    let room = MAX_FITTED;
    for (const [number, claims] of this.endFilter()) {
      room -= this.run.citations.passage(number)?.text.length ?? 0;
      this.writer.addPassage(number, room < 0 ? '' : claims.join(' '));
    }
  }

  /** Ends a text that was reasoning, which only weighs passages: those that the following text does not name are not cited. */
  endUncited(): void {
    this.endFilter();
  }

  private noteCited(number: number, before: string): void {
    const claims = this.cited.get(number) ?? [];
    if (claims.length < MAX_CLAIMS) claims.push(claimBefore(before));
    this.cited.set(number, claims);
  }

  /** Shows what the filter has held back. @returns the passages that its text cites */
  private endFilter(): Cited {
    const { filter, cited } = this;
    this.filter = null;
    // A text may end with a citation, which is held back until now.
    const held = filter?.flush() ?? '';
    this.cited = new Map();
    // After a stop nothing more is shown.
    if (filter === null || this.run.controller.signal.aborted) return new Map();
    if (held !== '') this.writer.append('text-delta', held);
    return cited;
  }
}
