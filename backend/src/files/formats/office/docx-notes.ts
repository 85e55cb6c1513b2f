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
