/** Deltas that have to agree, one less at the end of a text; characters of the last one, and different ones of them. */
const LINKS = 3;
const LENGTH = 6;
const DIFFERENT_CHARACTERS = 4;
/** Agreeing deltas that may be held back. */
const MOST_LINKS = 8;

/** A copy of a part of a text. V8 keeps all of a text of which a part of 13 characters or more is kept. */
export const copyOf = (part: string): string => ` ${part}`.slice(1);

/** The end of a text, copied: otherwise each delta of an answer would keep all of the answer before it. */
export const endFrom = (text: string, at: number): string => copyOf(text.slice(at));

/**
 * Finds answers whose deltas each repeat all of the text before them, and returns what is new. The first delta that does so is held
 * back until others agree: `1` and `10` may be 110. Real repetitions have something between them, so they do not agree.
 */
export class TextSoFar {
  private state: 'open' | 'repeats' | 'pieces' = 'open';
  private first = '';
  /** The last delta, which may be all of the text. */
  private text = '';
  /** Deltas that were not passed on. */
  private held = '';
  private links = 0;
  /** Characters that the longest link adds. */
  private growth = 0;

  /** Whether deltas are held back. */
  get isHolding(): boolean {
    return this.held !== '';
  }

  /** @returns what a delta adds to the text */
  newIn(delta: string): string {
    if (this.state === 'pieces' || delta === '') return delta;
    if (this.state === 'repeats') return this.addedBy(delta);
    if (this.text === '') {
      this.first = delta;
      this.text = delta;
      return delta;
    }
    if (delta === this.text && this.mayRepeat) return this.treatAsRepeating();
    const agrees = delta.length > this.text.length && delta.startsWith(this.text);
    if (!agrees || this.links === MOST_LINKS) {
      const { held } = this;
      this.treatAsPieces();
      return held + delta;
    }
    this.links += 1;
    this.growth = Math.max(this.growth, delta.length - this.text.length);
    this.text = delta;
    this.held += delta;
    return this.links >= LINKS && this.mayRepeat ? this.treatAsRepeating() : '';
  }

  /** @returns what was held back, when the text ends or something else follows it */
  release(): string {
    const { held } = this;
    if (held !== '' && this.mayRepeat) return this.treatAsRepeating();
    if (held !== '') this.treatAsPieces();
    return held;
  }

  /** Whether chance is excluded. A text such as `=======` or `hahaha` begins again by itself. */
  private get mayRepeat(): boolean {
    const { text, first, links } = this;
    const isVaried = text.length >= LENGTH && new Set(text).size >= DIFFERENT_CHARACTERS;
    // ` H He Hel` spells a word: a text that arrives in letters begins without a blank.
    const isSpelled = this.growth === 1 && /^\s/.test(first);
    return links >= LINKS - 1 && isVaried && !isSpelled && !text.startsWith(first, first.length);
  }

  private treatAsRepeating(): string {
    this.state = 'repeats';
    this.held = '';
    return endFrom(this.text, this.first.length);
  }

  private treatAsPieces(): void {
    this.state = 'pieces';
    this.held = '';
    this.text = '';
  }

  private addedBy(delta: string): string {
    if (!delta.startsWith(this.text)) {
      // A whole text that is shorter says nothing new.
      if (this.text.startsWith(delta)) return '';
      this.treatAsPieces();
      return delta;
    }
    const added = endFrom(delta, this.text.length);
    this.text = delta;
    return added;
  }
}
