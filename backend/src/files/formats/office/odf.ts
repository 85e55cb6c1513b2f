import { Numbering } from './lists/numbering.js';
import { numberOr, type OdfLists, odfListsOf, OUTLINE } from './lists/odf-lists.js';
import { fieldLine } from './forms/odf-forms.js';
import { headOf, NO_STYLES, type Styles, stylesIn } from './odf-styles.js';
import { OdfTable, repetitions } from './odf-table.js';
import type { OfficePackage } from './package.js';
import { ExtractionError, MAX_LABEL, SectionCollector } from '../sections.js';
import { OpenLinks } from '../text/links.js';
import { raised, withLetters } from '../text/looks.js';
import { withSymbols } from '../text/symbol-fonts.js';
import { decodeXml, readXmlBytes, type XmlElement } from '../xml.js';

/** Content that is no text, or is there a second time. */
const SKIPPED = new Set(['tracked-changes', 'sequence-decls', 'binary-data', 'note-citation', 'sheet-name']);

/** When a remark was written, which stands before its text, as does its author. Elsewhere they are fields of the text. */
const REMARK_HEADS = new Set(['date', 'date-string', 'creator-initials']);

/** Fields of headers that hold a stand-in in sheets, such as `00/00/0000`. */
const STAND_INS = new Set(['page-count', 'date', 'time', 'title', 'file-name']);

/** Frames of master pages that hold no more than a prompt: `Click to edit the title`. */
const PROMPTS = /^(?:title|subtitle|outline|notes)$/;

/** Elements whose characters are text. */
const TEXTS = new Set(['p', 'h', 'desc', 'header-decl', 'footer-decl']);

/** Elements of presentations that end a line. */
const LINES = new Set(['frame', 'custom-shape', 'page', 'header-decl', 'footer-decl']);

/** Marks around remarks inside of a line. */
const REMARKS: Record<string, string> = { annotation: 'comment', 'note-body': 'note', desc: 'picture' };

/** The content of a formula, a chart or another document inside of this one, by its name. */
type Objects = (name: string) => Uint8Array | undefined;

/** Reads a text, a sheet or a presentation of LibreOffice. Encrypted ones say so in their manifest. */
export function readOdf(office: OfficePackage, out: SectionCollector): void {
  if (/<(?:\w+:)?encryption-data[\s/>]/.test(office.xml('META-INF/manifest.xml')))
    throw new ExtractionError('encrypted');
  const content = office.bytes('content.xml');
  if (!content?.length) throw new ExtractionError('broken');
  readOdfXml(content, office.bytes('styles.xml'), out, (name) => office.bytes(`${name}/content.xml`));
}

/** @param styles the part with headers, footers and masters; undefined where the content has all of it */
export function readOdfXml(
  content: Uint8Array,
  styles: Uint8Array | undefined,
  out: SectionCollector,
  objects: Objects = () => undefined,
): void {
  const own = headOf(content);
  const others = styles === undefined ? [] : [decodeXml(styles)];
  const reader = new OdfReader(stylesIn(own), odfListsOf([...others, own]), out, objects);
  reader.read(content, 'body');
  if (out.isFull) return;
  const around = new SectionCollector();
  const left = reader.isSheets ? STAND_INS : undefined;
  new OdfReader(NO_STYLES, odfListsOf([]), around, undefined, left).read(styles ?? content, 'master-styles');
  if (!around.hasText) return;
  out.begin('part', 'headers and footers');
  for (const { text } of around.collected().sections) out.add(`${text}\n`);
}

class OdfReader {
  private readonly open: string[] = [];
  private skipped = 0;
  /** Notes of a slide are named once they have a text. */
  private notes: 'none' | 'empty' | 'begun' = 'none';
  private body = '';
  private slides = 0;
  private line = '';
  /** Number or bullet of the line. */
  private prefix = '';
  /** Of the heading. */
  private level = 1;
  private readonly table = new OdfTable();
  private readonly links = new OpenLinks();
  /** Open elements from which on nothing is shown: a hidden section or paragraph; 0 for none. */
  private hiddenFrom = 0;
  /** Names of the styles of open spans. */
  private readonly spans: string[] = [];

  /** Open lists, the outer ones first; '' for one without a style. */
  private readonly lists: string[] = [];
  /** Whether the next paragraph is the first of its item. */
  private isItem = false;
  private readonly numbering: Numbering;
  /** A formula that is open: its characters, and how its author wrote it. */
  private formula: { characters: string; written: string } | null = null;
  /** Whether the last field of a form has said its value, which may stand inside of it again. */
  private hasFieldValue = false;
  private readonly knownObjects = new Set<string>();
  /** Whether the last object stands in its line, as formulas do. */
  private isInLine = false;
  /** The line before an author or a reading: to look at its end takes time in a long line. */
  private before = '';
  /** Charts in the cells of a sheet, which stand below it. */
  private drawn: string[] = [];

  constructor(
    private readonly looks: Styles,
    private readonly styles: OdfLists,
    private readonly out: SectionCollector,
    private readonly objects: Objects = () => undefined,
    private readonly left: ReadonlySet<string> = new Set(),
  ) {
    this.numbering = new Numbering(styles.rules);
  }

  get isSheets(): boolean {
    return this.body === 'spreadsheet';
  }

  /** Reads the first of some elements of a part, the other ones define styles. */
  read(part: Uint8Array, ...roots: string[]): void {
    let isRead = false;
    readXmlBytes(part, {
      open: (element) => {
        if (this.open.length === 0 && !roots.includes(element.name)) return;
        const isNumber = element.name === 'page-number' && (this.slides > 0 || !roots.includes('body'));
        if (isNumber && this.skipped === 0 && this.slides > 0) this.line += this.slides;
        const { placeholder, class: kind = '' } = element.attributes;
        const isPrompt =
          element.name === 'frame' && (placeholder === 'true' || (!roots.includes('body') && PROMPTS.test(kind)));
        if (this.skipped > 0 || isNumber || isPrompt || this.isSkipped(element.name)) this.skipped += 1;
        else this.start(element);
      },
      text: (text) => {
        if (this.skipped > 0) return;
        if (this.formula !== null) this.formula[this.open.at(-1) === 'annotation' ? 'written' : 'characters'] += text;
        if (this.formula !== null || !(this.isAuthor || this.open.some((name) => TEXTS.has(name)))) return;
        const font = this.spans.findLast((style) => this.looks.fonts.has(style)) ?? '';
        const shown = withSymbols(text.replace(/\s+/g, ' '), this.looks.fonts.get(font) ?? '');
        const has = (styles: ReadonlySet<string>) => this.spans.some((style) => styles.has(style));
        const letters = has(this.looks.raised) ? raised(shown) : shown;
        const isHidden = (this.hiddenFrom > 0 || has(this.looks.invisible)) && /\S/.test(letters);
        this.links.add(letters);
        this.line = withLetters(this.line, isHidden ? `[hidden: ${letters}]` : letters, has(this.looks.struck));
      },
      close: (name) => {
        if (this.open.length === 0) return;
        if (this.skipped > 0) this.skipped -= 1;
        else this.end(name);
        isRead ||= this.open.length === 0;
      },
      isDone: () => isRead || this.out.isFull,
    });
  }

  private isSkipped(name: string): boolean {
    if (SKIPPED.has(name) || this.left.has(name)) return true;
    // The parts of a chart are described by the names of their cells.
    if (name === 'desc') return this.open.includes('chart');
    if (name === 'p' && this.open.at(-1) === 'textarea') return this.hasFieldValue;
    return REMARK_HEADS.has(name) && this.open.at(-1) === 'annotation';
  }

  private isHiddenPart(name: string, attributes: Record<string, string>): boolean {
    if (name === 'p' || name === 'h') return this.looks.invisible.has(attributes['style-name'] ?? '');
    if (name !== 'section') return false;
    return attributes.display === 'none' || (attributes.display === 'condition' && attributes['is-hidden'] === 'true');
  }

  private get isAuthor(): boolean {
    return this.open.at(-1) === 'creator' && this.open.at(-2) === 'annotation';
  }

  private start({ name, attributes }: XmlElement): void {
    if (this.open.includes('forms')) this.writeField(name, attributes);
    this.open.push(name);
    if (this.hiddenFrom === 0 && this.isHiddenPart(name, attributes)) this.hiddenFrom = this.open.length;
    const isHidden = this.looks.hidden.has(attributes['style-name'] ?? '');
    switch (name) {
      case 'spreadsheet':
      case 'presentation':
      case 'drawing':
        if (!this.isInObject) this.body = name;
        break;
      case 'page':
        if (this.isInObject) break;
        this.slides += 1;
        this.out.begin('slide', `slide ${this.slides}${isHidden ? ', hidden' : ''}`);
        break;
      case 'table':
        if (this.isSheets && !this.table.isInRow && !this.isInObject)
          this.out.begin('sheet', `sheet ${JSON.stringify(attributes.name ?? '')}${isHidden ? ', hidden' : ''}`);
        this.table.start();
        break;
      case 'table-column':
        if (this.isSheets && !this.isInObject) this.table.addColumn(attributes);
        break;
      case 'table-row':
        this.table.startRow(attributes);
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.table.startCell(attributes);
        break;
      case 'p':
      case 'h':
        if (!this.isInRemark) {
          this.endLine();
          this.level = Number(attributes['outline-level'] ?? 1);
          this.prefix = this.mark(name, attributes);
        }
        break;
      case 'list':
        this.startList(attributes);
        break;
      case 'list-item':
        this.isItem = true;
        if (attributes['start-value'] !== undefined) this.setStart(numberOr(attributes['start-value'], 1));
        break;
      case 'span':
        this.spans.push(attributes['style-name'] ?? '');
        break;
      case 's':
        this.line += ' '.repeat(repetitions(attributes.c));
        break;
      case 'tab':
        this.line += this.table.isInCell ? ' ' : '\t';
        break;
      case 'line-break':
        this.line += this.table.isInCell ? ' ' : '\n';
        break;
      case 'a':
        this.links.start(attributes.href);
        break;
      case 'creator':
        this.before = this.line;
        break;
      case 'ruby-text':
        this.before = this.line;
        this.line += '(';
        break;
      case 'notes':
        this.notes = 'empty';
        break;
      case 'math':
        this.formula = { characters: '', written: '' };
        break;
      case 'object':
        this.readObject((attributes.href ?? '').replace(/^\.\//, ''));
        break;
    }
    if (name in REMARKS && this.formula === null) this.line += ` [${REMARKS[name]}: `;
  }

  private end(name: string): void {
    if (this.isAuthor && this.line.length !== this.before.length) this.line += ': ';
    if (this.open.length === this.hiddenFrom) this.hiddenFrom = 0;
    this.open.pop();
    if (name === 'notes') this.notes = 'none';
    else if (name === 'list') this.lists.pop();
    else if (name === 'list-item') this.isItem = false;
    else if (name === 'span') this.spans.pop();
    else if (name === 'a') this.line += this.links.end();
    else if (name === 'ruby-text')
      this.line = this.line.length === this.before.length + 1 ? this.before : `${this.line})`;
    else if (name === 'math') this.endFormula();
    else if (name === 'table' && !this.table.isInRow) this.writeDrawn();
    if (this.formula !== null) return;
    if (name in REMARKS) this.line = `${this.line.trimEnd()}] `;
    else if (name === 'p' || name === 'h') {
      if (this.isInRemark) this.line += ' ';
      else if (name === 'h' && this.body === '' && !this.table.isInRow) this.beginPart();
      else this.endLine();
    } else if (name === 'table-cell' || name === 'covered-table-cell') this.endCell();
    else if (name === 'table-row') for (const line of this.table.endRow()) this.write(line);
    else if (name === 'frame' && this.isInLine) this.isInLine = false;
    else if (LINES.has(name)) this.endLine();
  }

  /** A field of a form with its value, as of PDFs. Its label may be another field, which stands in the text. */
  private writeField(name: string, attributes: Record<string, string>): void {
    const line = fieldLine(name, attributes);
    this.hasFieldValue = line !== '';
    if (line !== '') this.write(`${line}\n`);
  }

  private endFormula(): void {
    const { characters, written } = this.formula ?? { characters: '', written: '' };
    this.formula = null;
    this.line += (written || characters).replace(/\s+/g, ' ').trim();
    this.isInLine = true;
    // One that is the whole content of an object.
    if (this.open.length === 0) this.endLine();
  }

  /** A formula goes into the line, what has more lines below it. */
  private readObject(name: string): void {
    const content = this.knownObjects.has(name) ? undefined : this.objects(name);
    if (content === undefined) return;
    this.knownObjects.add(name);
    const inner = new SectionCollector();
    try {
      new OdfReader(NO_STYLES, odfListsOf([]), inner).read(content, 'body', 'math');
    } catch (error) {
      // A broken object does not take what stands around it.
      if (!(error instanceof ExtractionError) || error.problem !== 'broken') throw error;
    }
    const texts = inner.collected().sections.map(({ text }) => text.trim());
    const text = texts.filter((one) => one !== '').join('\n');
    if (!text.includes('\n')) {
      this.line += text;
      this.isInLine = text !== '';
      return;
    }
    if (this.isSheets && this.table.isInCell) {
      this.drawn.push(text);
      return;
    }
    this.endLine();
    this.write(`${text}\n`);
  }

  private writeDrawn(): void {
    for (const text of this.drawn) this.out.add(`\n${text}\n`);
    this.drawn = [];
  }

  private get isInObject(): boolean {
    return this.open.includes('object');
  }

  private startList({ 'style-name': style = this.lists.at(-1) ?? '', ...attributes }: Record<string, string>): void {
    this.lists.push(style);
    const isContinued = attributes['continue-numbering'] === 'true' || attributes['continue-list'] !== undefined;
    const start = this.styles.rules.levels.get(style)?.get(0)?.start;
    if (this.lists.length === 1 && !isContinued && start !== undefined) this.setStart(start);
  }

  /** The number of the next item. */
  private setStart(start: number): void {
    this.styles.rules.starts.set(`${this.lists.at(-1)} ${this.lists.length - 1}`, start);
  }

  /** The number or bullet of a paragraph. Slides and sheets show most of their texts with bullets. */
  private mark(name: string, attributes: Record<string, string>): string {
    const { rules, ofParagraphs } = this.styles;
    if (this.lists.length === 0) {
      return name === 'h' && attributes['is-list-header'] !== 'true'
        ? this.numbering.next({ list: OUTLINE, level: this.level - 1 })
        : '';
    }
    if (!this.isItem) return '';
    this.isItem = false;
    const list = this.lists.at(-1) || (ofParagraphs.get(attributes['style-name'] ?? '') ?? '');
    rules.lists.set(list, list);
    const mark = this.numbering.next({ list, level: this.lists.length - 1 });
    return mark === '- ' && this.body !== '' ? '' : mark;
  }

  private get isInRemark(): boolean {
    return this.open.some((name) => name in REMARKS);
  }

  private endCell(): void {
    this.endLine();
    this.table.endCell();
  }

  private beginPart(): void {
    const line = this.prefix + this.line;
    if (line.length > MAX_LABEL || this.line.trim() === '') {
      this.endLine();
      return;
    }
    this.line = '';
    this.out.begin('part', line, this.level);
  }

  private endLine(): void {
    const line = this.line.trimEnd();
    this.line = '';
    if (line === '') return;
    const whole = this.prefix + line;
    this.prefix = '';
    this.write(this.table.isInCell ? `${whole} ` : `${whole}\n`);
  }

  /** Writes to the innermost open cell, else to the section. */
  private write(text: string): void {
    if (this.notes === 'empty' && /\S/.test(text)) {
      this.out.add('\nNotes:\n');
      this.notes = 'begun';
    }
    if (this.table.isInCell) this.table.add(text);
    else this.out.add(text);
  }
}
