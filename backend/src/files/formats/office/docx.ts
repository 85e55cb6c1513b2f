import { drawingText } from './drawings.js';
import { readHtmlText } from '../html-text.js';
import { type ListPlace, Numbering } from './numbering.js';
import { OfficePackage } from './package.js';
import { ExtractionError, type SectionCollector } from '../sections.js';
import { decodeXml, isOn, readXml, type XmlElement } from '../xml.js';

/** Parts around the text, in the order in which they are read, by the type of their relationship. */
const AROUND: readonly [type: string, label: string][] = [
  ['footnotes', 'footnotes'],
  ['endnotes', 'endnotes'],
  ['comments', 'comments'],
  ['header', 'headers'],
  ['footer', 'footers'],
];

/** Documents inside of documents are read this deep. */
const MAX_NESTING = 3;

/** Text that is not in the document, or is there a second time. */
const SKIPPED = new Set(['del', 'moveFrom', 'instrText', 'delInstrText', 'rPrChange', 'pPrChange', 'ffData']);

/** Notes that draw a line between text and notes. */
const SEPARATORS = new Set(['separator', 'continuationSeparator', 'continuationNotice']);

const FIELD_PROPERTIES = new Set(['checkBox', 'checked', 'default', 'result', 'listEntry']);

interface Style {
  name: string;
  outline: number | null;
  basedOn: string;
  place: Partial<ListPlace>;
}

/** Reads a Word document: its headings begin sections, and notes, comments, headers and footers have sections of their own. */
export function readDocx(office: OfficePackage, out: SectionCollector, nesting = 0): void {
  const { main } = office;
  if (main === undefined) throw new ExtractionError('broken');
  const reader = new WordReader(office, out, nesting);
  reader.readPart(main);
  for (const [type, label] of AROUND) {
    const seen = new Set<string>();
    for (const target of office.targets(main, type)) {
      const before = new PartText();
      new WordReader(office, before, nesting, reader.notes).readPart(target);
      const text = before.text.trim();
      // A document has a header for first, even and odd pages of each chapter, mostly the same.
      if (text === '' || seen.has(text)) continue;
      if (seen.size === 0) out.begin('part', label);
      seen.add(text);
      out.add(`${text}\n`);
    }
  }
}

/** Where a part's text goes. */
type Target = Pick<SectionCollector, 'add' | 'begin' | 'isFull'>;

class PartText implements Target {
  text = '';
  readonly isFull = false;

  add(text: string): void {
    this.text += text;
  }

  begin(_kind: string, label: string): void {
    this.text += `${label}\n`;
  }
}

/** Reads one part. Links, macros and embedded programs are ignored. */
class WordReader {
  private readonly styles: ReadonlyMap<string, Style>;
  private readonly numbering: Numbering;
  private path = '';
  /** Names of open elements whose content is skipped. */
  private skipped: string[] = [];
  private inText = false;
  private paragraph = '';
  /** Paragraphs around a text box, which are open while its own are read. */
  private readonly outer: string[] = [];
  private isHeading = false;
  private style: Style | undefined;
  private place: Partial<ListPlace> = {};
  private hasPlace = false;
  private tables = 0;
  private isInRun = false;
  private isHidden = false;
  private choices: { hadText: boolean; length: number }[] = [];
  private written = 0;
  private field: string[] | null = null;

  /** @param notes numbers of foot- and endnotes, in the order of their references */
  constructor(
    private readonly office: OfficePackage,
    private readonly out: Target,
    private readonly nesting: number,
    readonly notes = new Map<string, number>(),
  ) {
    const main = office.main ?? '';
    this.styles = readStyles(office.xml(office.targets(main, 'styles')[0] ?? ''));
    this.numbering = new Numbering(office.xml(office.targets(main, 'numbering')[0] ?? ''));
  }

  readPart(path: string): void {
    this.path = path;
    try {
      readXml(this.office.xml(path), {
        open: (element) => this.open(element),
        text: (text) => {
          if (this.inText && this.skipped.length === 0) this.write(text);
        },
        close: (name) => this.close(name),
        isDone: () => this.out.isFull,
      });
    } finally {
      this.endParagraph();
    }
  }

  private open({ name, attributes }: XmlElement): void {
    if (this.field !== null && FIELD_PROPERTIES.has(name)) this.field.push(`${name}=${attributes.val ?? '1'}`);
    if (name === 'ffData') this.field = [];
    if (this.isSkipped(name, attributes)) {
      this.skipped.push(name);
      return;
    }
    if (this.skipped.length > 0) return;
    switch (name) {
      case 't':
        this.inText = true;
        break;
      case 'tab':
      case 'ptab':
        this.write('\t');
        break;
      case 'br':
      case 'cr':
        this.write('\n');
        break;
      case 'noBreakHyphen':
        this.write('-');
        break;
      case 'sym':
        this.write(symbol(attributes.char ?? ''));
        break;
      case 'p':
        this.startParagraph();
        break;
      case 'txbxContent':
        this.outer.push(this.paragraph);
        this.paragraph = '';
        break;
      case 'tbl':
        this.tables += 1;
        break;
      case 'AlternateContent':
        this.choices.push({ hadText: false, length: this.written });
        break;
      default:
        this.openProperty(name, attributes);
    }
  }

  private openProperty(name: string, attributes: Record<string, string>): void {
    const { val = '' } = attributes;
    switch (name) {
      case 'pStyle':
        this.style = this.styles.get(val);
        this.isHeading = this.outlineOf(this.style) !== null;
        break;
      case 'outlineLvl':
        this.isHeading = Number(val) < 9;
        break;
      case 'numPr':
        this.hasPlace = true;
        break;
      case 'ilvl':
        this.place.level = Number(val);
        break;
      case 'numId':
        this.place.list = val;
        break;
      case 'r':
        this.isInRun = true;
        break;
      case 'vanish':
        this.isHidden = this.isInRun && isOn(attributes.val);
        break;
      case 'footnoteReference':
      case 'endnoteReference':
        this.write(`[${this.noteNumber(name.replace('Reference', ''), attributes.id ?? '')}]`);
        break;
      case 'footnote':
      case 'endnote':
        this.add(`[${this.noteNumber(name, attributes.id ?? '')}] `);
        break;
      case 'comment':
        this.add(attributes.author ? `${attributes.author}: ` : '');
        break;
      case 'docPr':
        if (attributes.descr) this.write(` [picture: ${attributes.descr}] `);
        break;
      case 'chart':
        this.addDrawing(attributes.id);
        break;
      case 'relIds':
        this.addDrawing(attributes.dm);
        break;
      case 'altChunk':
        this.addChunk(attributes.id);
        break;
    }
  }

  private close(name: string): void {
    if (name === 'ffData') {
      this.write(formField(this.field ?? []));
      this.field = null;
    }
    if (this.skipped.at(-1) === name) {
      this.skipped.pop();
      return;
    }
    if (this.skipped.length > 0) return;
    switch (name) {
      case 't':
        this.inText = false;
        break;
      case 'r':
        this.isInRun = false;
        this.isHidden = false;
        break;
      case 'p':
        this.endParagraph();
        break;
      case 'txbxContent':
        this.paragraph = this.outer.pop() ?? '';
        break;
      case 'tc':
        this.add('\t');
        break;
      case 'tr':
        this.add('\n');
        break;
      case 'tbl':
        this.tables -= 1;
        break;
      case 'Choice':
        if (this.choices.length > 0) this.choices.at(-1)!.hadText ||= this.written > this.choices.at(-1)!.length;
        break;
      case 'AlternateContent':
        this.choices.pop();
        break;
      case 'num':
        this.write('/');
        break;
    }
  }

  private isSkipped(name: string, attributes: Record<string, string>): boolean {
    if (SKIPPED.has(name)) return true;
    if (name === 'footnote' || name === 'endnote') return SEPARATORS.has(attributes.type ?? '');
    return name === 'Fallback' && this.choices.at(-1)?.hadText === true;
  }

  private noteNumber(kind: string, id: string): number {
    const key = `${kind} ${id}`;
    const known = this.notes.get(key);
    if (known !== undefined) return known;
    const number = [...this.notes.keys()].filter((other) => other.startsWith(kind)).length + 1;
    this.notes.set(key, number);
    return number;
  }

  private startParagraph(): void {
    this.endParagraph();
    this.isHeading = false;
    this.style = undefined;
    this.place = {};
    this.hasPlace = false;
  }

  /** A heading outside of tables begins a section. */
  private endParagraph(): void {
    const text = this.paragraph;
    this.paragraph = '';
    if (text === '') return;
    const line = this.mark() + text;
    if (this.isHeading && this.tables === 0 && this.outer.length === 0 && text.trim() !== '')
      this.out.begin('part', line);
    else this.add(line + (this.tables > 0 ? ' ' : '\n'));
    this.isHeading = false;
  }

  private mark(): string {
    const inherited = this.style === undefined ? {} : this.placeOf(this.style);
    const { list, level = 0 } = { ...inherited, ...this.place };
    if (list === undefined || list === '0' || !(this.hasPlace || inherited.list)) return '';
    this.hasPlace = false;
    return this.numbering.next({ list, level });
  }

  private outlineOf(style: Style | undefined, depth = 0): number | null {
    if (style === undefined || depth > 10) return null;
    if (style.outline !== null) return style.outline < 9 ? style.outline : null;
    if (/^heading [1-9]$/i.test(style.name)) return Number(style.name.slice(-1)) - 1;
    return this.outlineOf(this.styles.get(style.basedOn), depth + 1);
  }

  private placeOf(style: Style, depth = 0): Partial<ListPlace> {
    const base = depth < 10 ? this.styles.get(style.basedOn) : undefined;
    return { ...(base && this.placeOf(base, depth + 1)), ...style.place };
  }

  private addDrawing(id: string | undefined): void {
    const text = drawingText(this.office, this.path, id);
    if (text !== '') this.add(`\n${text}\n`);
  }

  /** Another document that Word shows at this place. */
  private addChunk(id: string | undefined): void {
    const target = this.office.target(this.path, id);
    const bytes = target === undefined ? undefined : this.office.bytes(target);
    if (target === undefined || bytes === undefined || this.nesting >= MAX_NESTING) return;
    const buffer = Buffer.from(bytes);
    if (/\.x?html?$/i.test(target)) this.add(`${readHtmlText(buffer, '')}\n`);
    else if (/\.txt$/i.test(target)) this.add(`${decodeXml(bytes)}\n`);
    else if (/\.docx$/i.test(target)) {
      const inner = new PartText();
      new WordReader(OfficePackage.open(buffer), inner, this.nesting + 1).readMain();
      this.add(inner.text);
    }
  }

  private readMain(): void {
    if (this.office.main !== undefined) this.readPart(this.office.main);
  }

  private write(text: string): void {
    if (text === '') return;
    this.paragraph += this.isHidden ? `[hidden: ${text}]` : text;
    if (/\S/.test(text)) this.written += text.length;
  }

  private add(text: string): void {
    this.out.add(text);
    if (/\S/.test(text)) this.written += text.length;
  }
}

/** A character of a symbol font. Those of the private area have no meaning without the font. */
function symbol(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return Number.isNaN(code) || (code >= 0xe000 && code <= 0xf8ff) ? '•' : String.fromCharCode(code);
}

/** The value of a form field of earlier Word versions that has no text: a checkbox or a list. */
function formField(properties: readonly string[]): string {
  const values = (name: string) =>
    properties.filter((property) => property.startsWith(`${name}=`)).map((property) => property.slice(name.length + 1));
  const entries = values('listEntry');
  if (entries.length > 0) return entries[Number(values('result')[0] ?? values('default')[0] ?? 0)] ?? '';
  if (values('checkBox').length === 0) return '';
  return isOn([...values('checked'), ...values('default'), '0'][0]) ? '[x]' : '[ ]';
}

function readStyles(xml: string): Map<string, Style> {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  if (xml === '') return styles;
  readXml(xml, {
    open({ name, attributes }) {
      const { val = '' } = attributes;
      if (name === 'style') {
        style = { name: '', outline: null, basedOn: '', place: {} };
        styles.set(attributes.styleId ?? '', style);
      } else if (style === undefined) return;
      else if (name === 'name') style.name = val;
      else if (name === 'basedOn') style.basedOn = val;
      else if (name === 'outlineLvl') style.outline = Number(val);
      else if (name === 'numId') style.place.list = val;
      else if (name === 'ilvl') style.place.level = Number(val);
    },
    close(name) {
      if (name === 'style') style = undefined;
    },
  });
  return styles;
}
