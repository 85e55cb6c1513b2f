import { numberText } from './lists/number-text.js';
import { isOn, readXml } from '../xml.js';

type Kind = 'footnote' | 'endnote';

/** The numbers of notes in a Word document, which count in the order of their references, each kind for itself. */
export class Notes {
  private readonly numbers = { footnote: new Map<string, number>(), endnote: new Map<string, number>() };
  /** Notes with a mark that their author wrote, by their kind and number in the file. */
  private readonly marked = new Set<string>();
  private readonly formats: Record<Kind, string> = { footnote: 'decimal', endnote: 'lowerRoman' };
  private readonly starts: Record<Kind, number> = { footnote: 1, endnote: 1 };

  /** @param settings XML of the document's settings, '' without any */
  constructor(settings: string) {
    if (settings === '') return;
    let kind: Kind | undefined;
    readXml(settings, {
      open: ({ name, attributes: { val = '' } }) => {
        if (name === 'footnotePr') kind = 'footnote';
        else if (name === 'endnotePr') kind = 'endnote';
        else if (kind !== undefined && name === 'numFmt') this.formats[kind] = val;
        else if (kind !== undefined && name === 'numStart') this.starts[kind] = Math.trunc(Number(val)) || 1;
      },
      close: (name) => {
        if (name === `${kind}Pr`) kind = undefined;
      },
    });
  }

  /** What stands at a reference: `[1]`, or '' before a mark that its author wrote. */
  reference(kind: Kind, { id = '', customMarkFollows }: Record<string, string>): string {
    if (customMarkFollows === undefined || !isOn(customMarkFollows)) return `[${this.markOf(kind, id)}]`;
    this.marked.add(`${kind} ${id}`);
    return '';
  }

  /** What stands before a note. */
  head(kind: Kind, id: string): string {
    return this.marked.has(`${kind} ${id}`) ? '' : `[${this.markOf(kind, id)}] `;
  }

  private markOf(kind: Kind, id: string): string {
    const numbers = this.numbers[kind];
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return numberText(this.starts[kind] + number, this.formats[kind]);
  }
}

/** Characters of a passage that a comment names. */
const MAX_PASSAGE = 120;

/** Passages that comments mark at once, and all of a document. */
const MAX_OPEN = 20;
const MAX_PASSAGES = 10_000;

/** The passages of a Word document that its comments are about. Its text is read before them. */
export class CommentedPassages {
  private readonly passages = new Map<string, string>();
  private readonly open = new Set<string>();

  start(id = ''): void {
    if (this.open.size >= MAX_OPEN || this.passages.size >= MAX_PASSAGES) return;
    this.open.add(id);
    this.passages.set(id, '');
  }

  end(id = ''): void {
    this.open.delete(id);
  }

  add(text: string): void {
    for (const id of this.open) {
      const passage = this.passages.get(id) ?? '';
      if (passage.length <= MAX_PASSAGE) this.passages.set(id, passage + text);
    }
  }

  /** What stands before a comment: `Ani on “ten per cent”: `. */
  head({ id = '', author = '' }: Record<string, string>): string {
    const passage = (this.passages.get(id) ?? '').replace(/\s+/g, ' ').trim();
    const shown = passage.length > MAX_PASSAGE ? `${passage.slice(0, MAX_PASSAGE).toWellFormed()}…` : passage;
    const head = [author, shown && `on “${shown}”`].filter(Boolean).join(' ');
    return head && `${head}: `;
  }
}
