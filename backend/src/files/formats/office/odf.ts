import { Numbering } from './numbering.js';
import { numberOr, type OdfLists, odfListsOf, OUTLINE } from './odf-lists.js';
import type { OfficePackage } from './package.js';
import { ExtractionError, MAX_LABEL, SectionCollector } from '../sections.js';
import { raised, withLetters } from '../text/looks.js';
import { withSymbols } from '../text/symbol-fonts.js';
import { decodeXml, readXml, readXmlBytes, type XmlElement, xmlPieces } from '../xml.js';

/** Repetitions of a row, a cell or a space that are written out. */
const MAX_REPEATED = 20;

/** Content that is no text, or is there a second time. */
const SKIPPED = new Set([
  'tracked-changes',
  'sequence-decls',
  'ruby-text',
  'binary-data',
  'note-citation',
  'sheet-name',
]);

/** Who wrote a remark and when, which stand before its text. Elsewhere they are fields of the text. */
const REMARK_HEADS = new Set(['creator', 'date']);

/** Elements whose characters are text. */
const TEXTS = new Set(['p', 'h', 'desc', 'header-decl', 'footer-decl']);

/** Elements of presentations that end a line. */
const LINES = new Set(['frame', 'custom-shape', 'page', 'header-decl', 'footer-decl']);

/** Styles stand before it. */
const BODY = /<(?:\w+:)?body[\s>]/;

/** Characters of its element up to its name. */
const BODY_LENGTH = 100;

/** Marks around remarks inside of a line. */
const REMARKS: Record<string, string> = { annotation: 'comment', 'note-body': 'note', desc: 'picture' };

interface Row {
  text: string;
  cells: number;
  /** Tabs before the next text. */
  gap: number;
  repeated: number;
}

interface Cell {
  text: string;
  /** What a cell without text shows: its value, or its formula. */
  otherwise: string;
  repeated: number;
}

/** Reads a text, a sheet or a presentation of LibreOffice. Encrypted ones say so in their manifest. */
export function readOdf(office: OfficePackage, out: SectionCollector): void {
  if (/<(?:\w+:)?encryption-data[\s/>]/.test(office.xml('META-INF/manifest.xml')))
    throw new ExtractionError('encrypted');
  const content = office.bytes('content.xml');
  if (!content?.length) throw new ExtractionError('broken');
  readOdfXml(content, office.bytes('styles.xml'), out);
}

/** @param styles the part with headers, footers and masters; undefined where the content has all of it */
export function readOdfXml(content: Uint8Array, styles: Uint8Array | undefined, out: SectionCollector): void {
  const own = headOf(content);
  const others = styles === undefined ? [] : [decodeXml(styles)];
  new OdfReader(stylesIn(own), odfListsOf([...others, own]), out).read(content, 'body');
  if (styles === undefined || out.isFull) return;
  const around = new SectionCollector();
  new OdfReader(NO_STYLES, odfListsOf([]), around).read(styles, 'master-styles');
  if (!around.hasText) return;
  out.begin('part', 'headers and footers');
  for (const { text } of around.collected().sections) out.add(`${text}\n`);
}

/** What stands before the body: a large document is not decoded as a whole. */
function headOf(content: Uint8Array): string {
  let head = '';
  for (const piece of xmlPieces(content)) {
    const from = Math.max(0, head.length - BODY_LENGTH);
    head += piece;
    const found = head.slice(from).search(BODY);
    if (found >= 0) return head.slice(0, from + found);
  }
  return head;
}

/** Names of styles that change what is read. */
interface Styles {
  /** Of slides and sheets that are not shown. */
  hidden: ReadonlySet<string>;
  /** Of letters above the line. */
  raised: ReadonlySet<string>;
  /** Of letters with a line through them. */
  struck: ReadonlySet<string>;
  /** Names of fonts by their style. */
  fonts: ReadonlyMap<string, string>;
}

const NO_STYLES: Styles = { hidden: new Set(), raised: new Set(), struck: new Set(), fonts: new Map() };

/** Letters that stand above the line: `super 58%`, `33% 58%`. */
const ABOVE = /^(?:super|[1-9])/;

function stylesIn(xml: string): Styles {
  const styles = {
    hidden: new Set<string>(),
    raised: new Set<string>(),
    struck: new Set<string>(),
    fonts: new Map<string, string>(),
  };
  let style = '';
  readXml(xml, {
    open({ name, attributes }) {
      if (name === 'style') style = attributes.name ?? '';
      if (attributes.visibility === 'hidden' || (name === 'table-properties' && attributes.display === 'false'))
        styles.hidden.add(style);
      if (name !== 'text-properties') return;
      if (ABOVE.test(attributes['text-position'] ?? '')) styles.raised.add(style);
      if (attributes['font-name'] !== undefined) styles.fonts.set(style, attributes['font-name']);
      if ((attributes['text-line-through-style'] ?? 'none') !== 'none') styles.struck.add(style);
    },
  });
  return styles;
}

/** How often something is there; at most `MAX_REPEATED`. */
const repetitions = (count = '1'): number => Math.min(Math.max(Math.trunc(Number(count)) || 1, 1), MAX_REPEATED);

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
  private readonly rows: Row[] = [];
  private readonly cells: Cell[] = [];
  /** Names of the styles of open spans. */
  private readonly spans: string[] = [];

  /** Open lists, the outer ones first; '' for one without a style. */
  private readonly lists: string[] = [];
  /** Whether the next paragraph is the first of its item. */
  private isItem = false;
  private readonly numbering: Numbering;

  constructor(
    private readonly looks: Styles,
    private readonly styles: OdfLists,
    private readonly out: SectionCollector,
  ) {
    this.numbering = new Numbering(styles.rules);
  }

  /** Reads one element of a part, the other elements define styles. */
  read(part: Uint8Array, root: string): void {
    readXmlBytes(part, {
      open: (element) => {
        if (this.open.length === 0 && element.name !== root) return;
        const isNumber = element.name === 'page-number' && (this.slides > 0 || root !== 'body');
        if (isNumber && this.skipped === 0 && this.slides > 0) this.line += this.slides;
        if (this.skipped > 0 || isNumber || this.isSkipped(element.name)) this.skipped += 1;
        else this.start(element);
      },
      text: (text) => {
        if (this.skipped > 0 || !this.open.some((name) => TEXTS.has(name))) return;
        const font = this.spans.findLast((style) => this.looks.fonts.has(style)) ?? '';
        const shown = withSymbols(text.replace(/\s+/g, ' '), this.looks.fonts.get(font) ?? '');
        const has = (styles: ReadonlySet<string>) => this.spans.some((style) => styles.has(style));
        this.line = withLetters(this.line, has(this.looks.raised) ? raised(shown) : shown, has(this.looks.struck));
      },
      close: (name) => {
        if (this.open.length === 0) return;
        if (this.skipped > 0) this.skipped -= 1;
        else this.end(name);
      },
      isDone: () => this.out.isFull,
    });
  }

  private isSkipped(name: string): boolean {
    return SKIPPED.has(name) || (REMARK_HEADS.has(name) && this.open.at(-1) === 'annotation');
  }

  private start({ name, attributes }: XmlElement): void {
    this.open.push(name);
    const isHidden = this.looks.hidden.has(attributes['style-name'] ?? '');
    switch (name) {
      case 'spreadsheet':
      case 'presentation':
      case 'drawing':
        this.body = name;
        break;
      case 'page':
        this.slides += 1;
        this.out.begin('slide', `slide ${this.slides}${isHidden ? ', hidden' : ''}`);
        break;
      case 'table':
        if (this.body === 'spreadsheet' && this.rows.length === 0)
          this.out.begin('sheet', `sheet ${JSON.stringify(attributes.name ?? '')}${isHidden ? ', hidden' : ''}`);
        break;
      case 'table-row':
        this.rows.push({ text: '', cells: 0, gap: 0, repeated: repetitions(attributes['number-rows-repeated']) });
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.startCell(attributes);
        break;
      case 'p':
      case 'h':
        if (!this.isInRemark) {
          this.endLine();
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
        this.line += '\t';
        break;
      case 'line-break':
        this.line += '\n';
        break;
      case 'notes':
        this.notes = 'empty';
        break;
    }
    if (name in REMARKS) this.line += ` [${REMARKS[name]}: `;
  }

  private end(name: string): void {
    this.open.pop();
    if (name === 'notes') this.notes = 'none';
    else if (name === 'list') this.lists.pop();
    else if (name === 'list-item') this.isItem = false;
    else if (name === 'span') this.spans.pop();
    if (name in REMARKS) this.line = `${this.line.trimEnd()}] `;
    else if (name === 'p' || name === 'h') {
      if (this.isInRemark) this.line += ' ';
      else if (name === 'h' && this.body === '' && this.rows.length === 0) this.beginPart();
      else this.endLine();
    } else if (name === 'table-cell' || name === 'covered-table-cell') this.endCell();
    else if (name === 'table-row') this.endRow();
    else if (LINES.has(name)) this.endLine();
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
      const level = Number(attributes['outline-level'] ?? 1) - 1;
      return name === 'h' && attributes['is-list-header'] !== 'true'
        ? this.numbering.next({ list: OUTLINE, level })
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

  private startCell(attributes: Record<string, string>): void {
    const { formula = '', value = '' } = attributes;
    const shown = value || attributes['string-value'] || attributes['date-value'] || attributes['time-value'] || '';
    this.cells.push({
      text: '',
      otherwise: shown || formula.replace(/^\w+:=?|^=/, formula === '' ? '' : '='),
      repeated: repetitions(attributes['number-columns-repeated']),
    });
  }

  private endCell(): void {
    this.endLine();
    const cell = this.cells.pop();
    const row = this.rows.at(-1);
    if (cell === undefined || row === undefined) return;
    const text = cell.text.trim() || cell.otherwise;
    const times = text === '' ? 1 : cell.repeated;
    for (let time = 0; time < times; time++) {
      if (row.cells > 0) row.gap += 1;
      row.cells += 1;
      if (text === '') continue;
      row.text += '\t'.repeat(Math.min(row.gap, MAX_REPEATED)) + text;
      row.gap = 0;
    }
    if (text === '') row.gap += cell.repeated - 1;
  }

  private endRow(): void {
    const row = this.rows.pop();
    if (row === undefined || row.text === '') return;
    for (let time = 0; time < row.repeated; time++) this.write(`${row.text}\n`);
  }

  private beginPart(): void {
    const line = this.prefix + this.line;
    if (line.length > MAX_LABEL || this.line.trim() === '') {
      this.endLine();
      return;
    }
    this.line = '';
    this.out.begin('part', line);
  }

  private endLine(): void {
    const line = this.line.trimEnd();
    this.line = '';
    if (line === '') return;
    const whole = this.prefix + line;
    this.prefix = '';
    this.write(this.cells.length > 0 ? `${whole} ` : `${whole}\n`);
  }

  /** Writes to the innermost open cell, else to the section. */
  private write(text: string): void {
    const cell = this.cells.at(-1);
    if (this.notes === 'empty' && /\S/.test(text)) {
      this.out.add('\nNotes:\n');
      this.notes = 'begun';
    }
    if (cell === undefined) this.out.add(text);
    else cell.text += text.replaceAll('\n', ' ');
  }
}
