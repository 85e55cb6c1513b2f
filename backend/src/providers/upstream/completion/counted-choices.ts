import type { Choice } from './choice-decoder.js';

/** Chunks whose numbers have to count up. Fewer may be those of several answers. */
const ENOUGH = 3;

/**
 * Finds answers that number their chunks where the number of the choice belongs, as of Foundry Local and older versions of Text
 * Generation Inference. The first choices with another number wait until chance is excluded.
 */
export class CountedChoices {
  private waiting: Choice[] = [];
  private state: 'open' | 'counted' | 'several' = 'open';

  /**
   * The choices to read now.
   * @param choices of one chunk, none of which has the number of the answer
   * @param from that number
   */
  take(choices: readonly Choice[], from: unknown): Choice[] {
    const [choice] = choices;
    if (choice === undefined || this.state === 'several') return [];
    if (this.state === 'counted') return [choice];
    const isNext = choices.length === 1 && typeof from === 'number' && choice.index === from + this.waiting.length + 1;
    if (!isNext) this.refute();
    else this.waiting.push(choice);
    if (this.waiting.length < ENOUGH) return [];
    this.state = 'counted';
    return this.rest();
  }

  /** Notes a chunk with the number of the answer, behind others: there are several answers. */
  refute(): void {
    if (this.state === 'counted') return;
    this.state = 'several';
    this.waiting = [];
  }

  /** Those that wait at the end of an answer that has no other end. */
  rest(): Choice[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }
}
