import { CommentedPassages, Notes } from './docx-notes.js';
import { Styles } from './docx-styles.js';
import { metafileText } from './drawn/metafile.js';
import type { OfficePackage } from './package.js';

/** Vector pictures whose text is read. */
const MAX_PICTURES = 200;

/** What the parts of a Word document share. */
export class WordDocument {
  readonly styles: Styles;
  /** XML of the lists, '' without any. Each part counts its lists anew. */
  readonly numbering: string;
  readonly notes: Notes;
  readonly passages = new CommentedPassages();
  private readonly pictures = new Map<string, string>();

  /** @param nesting documents around this one */
  constructor(
    readonly office: OfficePackage,
    main: string,
    readonly nesting = 0,
  ) {
    this.styles = new Styles(office.xml(office.targets(main, 'styles')[0] ?? ''));
    this.numbering = office.xml(office.targets(main, 'numbering')[0] ?? '');
    this.notes = new Notes(office.xml(office.targets(main, 'settings')[0] ?? ''));
  }

  /** What a vector picture draws, such as a pasted table or an equation; '' for other pictures. @param path of the part */
  pictureText(path: string, id: string | undefined): string {
    const target = this.office.target(path, id);
    if (target === undefined || !/\.[ew]mf$/i.test(target)) return '';
    const known = this.pictures.get(target);
    if (known !== undefined || this.pictures.size >= MAX_PICTURES) return known ?? '';
    const text = metafileText(this.office.otherPart(target) ?? new Uint8Array());
    this.pictures.set(target, text);
    return text;
  }
}
