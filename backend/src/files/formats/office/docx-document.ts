import { Styles } from './docx-styles.js';
import type { OfficePackage } from './package.js';

/** What the parts of a Word document share. */
export class WordDocument {
  readonly styles: Styles;
  /** XML of the lists, '' without any. Each part counts its lists anew. */
  readonly numbering: string;
  private readonly notes = { footnote: new Map<string, number>(), endnote: new Map<string, number>() };

  /** @param nesting documents around this one */
  constructor(
    readonly office: OfficePackage,
    main: string,
    readonly nesting = 0,
  ) {
    this.styles = new Styles(office.xml(office.targets(main, 'styles')[0] ?? ''));
    this.numbering = office.xml(office.targets(main, 'numbering')[0] ?? '');
  }

  /** The number of a note: they count in the order of their references. */
  noteNumber(kind: 'footnote' | 'endnote', id: string): number {
    const numbers = this.notes[kind];
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return number;
  }
}
