import { posix } from 'node:path';
import { WordDocument } from './docx-document.js';
import { FormField, OpenFields } from './docx-fields.js';
import { Paragraph } from './docx-paragraph.js';
import { Run, symbol } from './docx-run.js';
import { DocxTable } from './docx-table.js';
import { drawingText } from './drawings.js';
import { EquationLine } from './equations/office-math.js';
import { readHtmlText } from '../html-text.js';
import { OpenLinks } from '../text/links.js';
import { withLetters } from '../text/looks.js';
import { listRulesOf, Numbering } from './lists/numbering.js';
import { OfficePackage } from './package.js';
import { ExtractionError, MAX_CHARACTERS, MAX_LABEL, type SectionCollector } from '../sections.js';
import { decodeXml, readXmlBytes, type XmlElement } from '../xml.js';

/** Documents inside of documents are read this deep. */
const MAX_NESTING = 3;

/** Text that is not in the document, or is there a second time, and properties from before a change. */
const SKIPPED = new Set([
  ...['del', 'moveFrom', 'delInstrText', 'ffData'],
  ...['rPrChange', 'pPrChange', 'trPrChange', 'tcPrChange'],
]);

/** Notes that draw a line between text and notes. */
const SEPARATORS = new Set(['separator', 'continuationSeparator', 'continuationNotice']);

/** Programs whose objects have no reader, so that their pictures count. */
const EQUATIONS = /^(?:Equation|MathType)/;

/** Where a part's text goes. */
type Target = Pick<SectionCollector, 'add' | 'begin' | 'embed' | 'isFull'>;

/** Reads one part. Macros are ignored, and no link is followed. */
class PartReader {
  private readonly numbering: Numbering;
  /** Names of open elements whose content is skipped. */
  private readonly skipped: string[] = [];
  private inText = false;
  private paragraph = new Paragraph();
  /** Paragraphs around a text box, which are open while its own are read. */
  private readonly outer: Paragraph[] = [];
  private readonly table = new DocxTable();
  private run: Run | null = null;
  private readonly equation = new EquationLine();
  /** How a word in Japanese is read, in small letters above it, which stand before it in the file. */
  private readonly reading = { start: 0, text: '' };
  private readonly choices: { hadText: boolean; length: number }[] = [];
  private written = 0;
  private field: FormField | null = null;
  /** The picture of an object, which its reader may make needless. */
  private preview: string | undefined;
  private isInstruction = false;
  private readonly links = new OpenLinks();
  private readonly fields = new OpenFields(this.links);

  constructor(
    private readonly document: WordDocument,
    private readonly path: string,
    private readonly out: Target,
  ) {
    this.numbering = new Numbering(listRulesOf(document.numbering));
  }

  read(): void {
    try {
      readXmlBytes(this.document.office.bytes(this.path) ?? new Uint8Array(), {
        open: (element) => this.open(element),
        text: (text) => {
          if (this.skipped.length > 0) return;
          if (this.inText) this.write(this.run?.shown(text) ?? text);
          else if (this.isInstruction) this.fields.addInstruction(text);
        },
        close: (name) => this.close(name),
        isDone: () => this.out.isFull || this.paragraph.text.length > MAX_CHARACTERS,
      });
    } finally {
      this.endParagraph();
    }
  }

  private open({ name, attributes }: XmlElement): void {
    if (name === 'ffData') this.field = new FormField();
    this.field?.add(name, attributes.val);
    if (this.isSkipped(name, attributes)) {
      this.skipped.push(name);
      return;
    }
    if (this.skipped.length > 0) return;
    switch (name) {
      case 't':
        this.inText = true;
        break;
      case 'instrText':
        this.isInstruction = true;
        break;
      case 'fldChar':
        this.write(this.fields.mark(attributes.fldCharType));
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
        this.write(symbol(attributes));
        break;
      case 'p':
        this.startParagraph();
        break;
      case 'txbxContent':
        this.outer.push(this.paragraph);
        this.paragraph = new Paragraph();
        break;
      case 'tbl':
        this.table.start();
        break;
      case 'tr':
        this.table.startRow();
        break;
      case 'tc':
        this.add(this.table.startCell());
        break;
      case 'AlternateContent':
        this.choices.push({ hadText: false, length: this.written });
        break;
      default:
        this.openProperty(name, attributes);
    }
  }

  private openProperty(name: string, attributes: Record<string, string>): void {
    this.paragraph.setProperty(name, attributes.val ?? '', this.document.styles);
    this.run?.setProperty(name, attributes, this.document.styles);
    this.equation.open(name, attributes, this.paragraph.text.length);
    switch (name) {
      case 'framePr':
        this.paragraph.isDropCap = (attributes.dropCap ?? 'none') !== 'none';
        break;
      case 'hyperlink':
        this.links.start(this.document.office.address(this.path, attributes.id));
        break;
      case 'fldSimple':
        if (!this.links.startField(attributes.instr ?? '')) this.links.start(undefined);
        break;
      case 'commentRangeStart':
        this.document.passages.start(attributes.id);
        break;
      case 'commentRangeEnd':
        this.document.passages.end(attributes.id);
        break;
      case 'rt':
        this.reading.start = this.paragraph.text.length;
        break;
      case 'r':
        this.run = new Run(this.paragraph.look);
        break;
      case 'gridSpan':
        this.table.setSpan(attributes.val);
        break;
      case 'gridBefore':
        this.table.setBefore(attributes.val);
        break;
      // WordArt and watermarks of earlier versions.
      case 'textpath':
        this.write(attributes.string ? `${attributes.string}\n` : '');
        break;
      case 'footnoteReference':
      case 'endnoteReference':
        this.write(this.document.notes.reference(name === 'footnoteReference' ? 'footnote' : 'endnote', attributes));
        break;
      case 'footnote':
      case 'endnote':
        this.add(this.document.notes.head(name, attributes.id ?? ''));
        break;
      case 'comment':
        this.add(this.document.passages.head(attributes));
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
      case 'OLEObject':
        if (!EQUATIONS.test(attributes.ProgID ?? '')) this.preview = undefined;
        this.embed(attributes.id);
        break;
      case 'blip':
        this.addPicture(attributes.embed);
        break;
      case 'imagedata':
        this.preview = attributes.id;
        break;
      case 'altChunk':
        this.addChunk(attributes.id);
        break;
    }
  }

  private close(name: string): void {
    if (name === 'ffData') {
      this.write(this.field?.text ?? '');
      this.field = null;
    }
    if (this.skipped.at(-1) === name) {
      this.skipped.pop();
      return;
    }
    if (this.skipped.length > 0) return;
    this.paragraph.text = this.equation.close(name, this.paragraph.text);
    switch (name) {
      case 't':
        this.inText = false;
        break;
      case 'instrText':
        this.isInstruction = false;
        break;
      case 'r':
        this.run = null;
        break;
      case 'rt':
        this.reading.text = this.paragraph.text.slice(this.reading.start);
        this.paragraph.text = this.paragraph.text.slice(0, this.reading.start);
        break;
      case 'hyperlink':
      case 'fldSimple':
        this.write(this.links.end());
        break;
      case 'ruby':
        if (this.reading.text !== '') this.write(`(${this.reading.text})`);
        this.reading.text = '';
        break;
      case 'p':
        this.fields.endParagraph();
        this.endParagraph();
        break;
      case 'object':
      case 'pict':
        this.addPicture(this.preview);
        this.preview = undefined;
        break;
      case 'txbxContent':
        this.paragraph = this.outer.pop() ?? new Paragraph();
        break;
      case 'tc':
        this.add('\t');
        this.table.endCell();
        break;
      case 'tr':
        this.add('\n');
        break;
      case 'tbl':
        this.table.end();
        break;
      case 'Choice':
        if (this.choices.length > 0) this.choices.at(-1)!.hadText ||= this.written > this.choices.at(-1)!.length;
        break;
      case 'AlternateContent':
        this.choices.pop();
        break;
    }
  }

  private isSkipped(name: string, attributes: Record<string, string>): boolean {
    if (SKIPPED.has(name)) return true;
    if (name === 'footnote' || name === 'endnote') return SEPARATORS.has(attributes.type ?? '');
    return name === 'Fallback' && this.choices.at(-1)?.hadText === true;
  }

  private startParagraph(): void {
    this.endParagraph();
    this.paragraph = new Paragraph();
  }

  /** A heading outside of tables begins a section. The rest of a paragraph that something divides is plain text. */
  private endParagraph(): void {
    const { text, level, isDropCap } = this.paragraph;
    this.document.passages.add(' ');
    if (text === '') return;
    const { isOpen } = this.table;
    // Tabs stand between cells, and each row is a line.
    const line = this.paragraph.mark(this.numbering) + (isOpen ? text.replace(/[\t\n]+/g, ' ') : text);
    this.paragraph.text = '';
    this.paragraph.level = undefined;
    const isOutside = !isOpen && this.outer.length === 0;
    if (level !== undefined && isOutside && text.trim() !== '' && line.length <= MAX_LABEL)
      this.out.begin('part', line, level);
    else this.add(isDropCap ? text.trimEnd() : line + (isOpen ? ' ' : '\n'));
  }

  private addPicture(id: string | undefined): void {
    const text = id === undefined ? '' : this.document.pictureText(this.path, id);
    if (text !== '') this.write(` [picture: ${text}] `);
  }

  private addDrawing(id: string | undefined): void {
    const text = drawingText(this.document.office, this.path, id);
    if (text !== '') this.add(`\n${text}\n`);
  }

  /** Another document that Word shows at this place. */
  private addChunk(id: string | undefined): void {
    const { office, nesting } = this.document;
    const target = office.target(this.path, id);
    const bytes = target === undefined ? undefined : office.otherPart(target);
    if (target === undefined || bytes === undefined || nesting >= MAX_NESTING) return;
    if (/\.x?html?$/i.test(target)) this.add(`${readHtmlText(bytes, '')}\n`);
    else if (/\.txt$/i.test(target)) this.add(`${decodeXml(bytes)}\n`);
    else if (/\.docx$/i.test(target)) this.add(`${innerText(bytes, nesting + 1)}\n`);
    else this.out.embed(() => bytes, posix.basename(target));
  }

  private embed(id: string | undefined): void {
    const target = this.document.office.target(this.path, id);
    if (target !== undefined) this.out.embed(() => this.document.office.otherPart(target));
  }

  private write(text: string): void {
    if (text === '' || this.fields.isCondition) return;
    const shown = this.run?.isHidden ? `[hidden: ${text}]` : text;
    this.paragraph.text = withLetters(this.paragraph.text, shown, this.run?.isStruck ?? false);
    this.links.add(text);
    this.document.passages.add(text);
    if (/\S/.test(text)) this.written += text.length;
  }

  private add(text: string): void {
    this.out.add(text);
    if (/\S/.test(text)) this.written += text.length;
  }
}

/** The text of a document inside of another one; '' for a damaged one, as the outer one goes on after it. */
function innerText(bytes: Uint8Array, nesting: number): string {
  try {
    const office = OfficePackage.open(Buffer.from(bytes));
    const { main } = office;
    return main === undefined ? '' : partText(new WordDocument(office, main, nesting), main);
  } catch (error) {
    if (error instanceof ExtractionError) return '';
    throw error;
  }
}

export function readPart(document: WordDocument, path: string, out: SectionCollector): void {
  new PartReader(document, path, out).read();
}

/** The text of a part, in which headings are lines. */
export function partText(document: WordDocument, path: string): string {
  const text = new PartText();
  new PartReader(document, path, text).read();
  return text.text.trim();
}

class PartText implements Target {
  text = '';

  get isFull(): boolean {
    return this.text.length > MAX_CHARACTERS;
  }

  add(text: string): void {
    if (!this.isFull) this.text += text;
  }

  begin(_kind: string, label: string): void {
    this.add(`${label}\n`);
  }

  /** Documents in headers, notes and inner documents are left out. */
  embed(): void {}
}
