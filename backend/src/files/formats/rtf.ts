import { drawnByField } from './office/equations/eq-field.js';
import { objectFile } from './office/ole-object.js';
import { type RtfFont, RtfFonts } from './rtf-fonts.js';
import { ExtractionError, type SectionCollector } from './sections.js';
import { decode, encodingOfCodePage } from './text/encodings.js';
import { OpenLinks } from './text/links.js';
import { raised } from './text/looks.js';
import { symbolOf, withSymbols } from './text/symbol-fonts.js';

/** Groups that hold no text of the document. */
const SKIPPED = new Set(
  (
    'fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore latentstyles listtable ' +
    'listoverridetable rsidtbl generator xmlnstbl filetbl bkmkstart bkmkend mmathPr revtbl nonshppict ' +
    'pnseclvl template private blipuid atrfstart atrfend atnid wgrffmtfilter ftnsep ftnsepc aftnsep aftnsepc'
  ).split(' '),
);

/** Groups that hold a remark, and how it is named. */
const REMARKS: Record<string, string> = { footnote: 'note', annotation: 'comment' };

/** Groups of which one of many is there for each page. */
const MARGINS = new Set('header headerl headerr headerf footer footerl footerr footerf'.split(' '));

const CHARACTERS: Record<string, string> = {
  par: '\n',
  sect: '\n',
  page: '\n',
  line: '\n',
  row: '\n',
  nestrow: '\n',
  tab: '\t',
  cell: '\t',
  nestcell: '\t',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '-',
};

/** What in a cell is a blank: tabs stand between cells, and each row of a table is a line. */
const BLANKS_OF_CELLS = new Set(['par', 'line', 'tab']);

/** The property of a shape that has the text of WordArt. */
const WORD_ART = 'gtextUNICODE';

/** Characters of the name of a property, or of an author. */
const MAX_PROPERTY = 100;

/** Encodings by the words that begin a document. */
const CHARACTER_SETS = { mac: 'macintosh', pc: 'cp437', pca: 'cp850' } as const;

interface Group extends RtfFont {
  isSkipped: boolean;
  /** Bytes that stand for one `\u` in readers without Unicode. */
  fallback: number;
  isHidden: boolean;
  isRaised: boolean;
  /** What ends at the end of the group. */
  end: string;
  isMargin: boolean;
  isFontTable: boolean;
  /** Whether its text is an object in hexadecimal. */
  isObject: boolean;
  /** Whether its text is the instruction of a field. */
  isInstruction: boolean;
  /** Whether its text is the name of a property of a shape. */
  isProperty: boolean;
  /** Whether its text is the name of the author of the next comment. */
  isAuthor: boolean;
  /** Whether its paragraphs stand in the cells of a table. */
  isInTable: boolean;
  isLink: boolean;
  /** Whether it holds a text twice, the second time in Unicode. */
  isTwice: boolean;
}

const MAX_DEPTH = 2_000;

const TOKEN = /\\(?:([a-z]+)(-?\d+)? ?|'([0-9a-f]{2})|([^a-z']))|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

/** Letters beyond ASCII that are no mark of bytes which an encoding does not have. */
const KNOWN_LETTERS = /[^\0-\x7f\ufffd]/;

/** Programs write bullets, dashes and letters of the West in fonts of East Asia too. */
function decodeLetters(bytes: Uint8Array, encoding: string): string {
  const text = decode(bytes, encoding);
  return text.includes('\ufffd') && !KNOWN_LETTERS.test(text) ? decode(bytes, 'windows-1252') : text;
}

export function readRtf(bytes: Buffer, out: SectionCollector): void {
  if (!bytes.subarray(0, 64).toString('latin1').includes('{\\rtf')) throw new ExtractionError('broken');
  new RtfReader(out).read(bytes.toString('latin1'));
}

class RtfReader {
  private readonly groups: Group[] = [];
  private group: Group = {
    isSkipped: false,
    fallback: 1,
    encoding: 'windows-1252',
    isHidden: false,
    isRaised: false,
    symbolFont: null,
    end: '',
    isMargin: false,
    isFontTable: false,
    isObject: false,
    isInstruction: false,
    isProperty: false,
    isAuthor: false,
    isInTable: false,
    isLink: false,
    isTwice: false,
  };
  private readonly fonts = new RtfFonts();
  private bytes: number[] = [];
  private skip = 0;
  private isOptional = false;
  /** Whether nothing has come since the start of the group. */
  private isGroupStart = false;
  private readonly margins = new Set<string>();
  private margin = '';
  private object: string[] = [];
  private instruction = '';
  private property = '';
  private author = '';
  private readonly links = new OpenLinks();
  /** Whether the paragraph is no more than the large first letter of the next one. */
  private isDropCap = false;

  constructor(private readonly out: SectionCollector) {}

  read(rtf: string): void {
    TOKEN.lastIndex = 0;
    for (let token = TOKEN.exec(rtf); token !== null && !this.out.isFull; token = TOKEN.exec(rtf)) {
      const [, word, parameter, hex, sign, brace, text] = token;
      if (word === 'bin') this.skipBinary(rtf, Math.max(0, Number(parameter ?? 0)));
      else if (brace !== undefined) this.brace(brace);
      else if (word !== undefined) this.control(word, parameter === undefined ? undefined : Number(parameter));
      else if (hex !== undefined) this.byte(Number.parseInt(hex, 16));
      else if (sign !== undefined) this.symbol(sign);
      else if (this.group.isObject) this.object.push(text ?? '');
      else if (this.group.isFontTable) this.fonts.name(text ?? '');
      else for (const character of text ?? '') this.byte(character.charCodeAt(0));
      if (token[0].trim() !== '') this.isGroupStart = brace === '{';
    }
    this.flush();
    if (this.margins.size === 0) return;
    this.out.begin('part', 'headers and footers');
    this.out.add([...this.margins].join('\n'));
  }

  private skipBinary(rtf: string, size: number): void {
    const start = TOKEN.lastIndex;
    TOKEN.lastIndex += size;
    if (this.group.isObject) this.object.push(Buffer.from(rtf.slice(start, start + size), 'latin1').toString('hex'));
  }

  private brace(brace: string): void {
    this.flush();
    if (brace === '{') {
      if (this.groups.length >= MAX_DEPTH) throw new ExtractionError('hostile');
      this.groups.push(this.group);
      const { isTwice, isSkipped } = this.group;
      this.group = { ...this.group, end: '', isLink: false, isTwice: false, isSkipped: isSkipped || isTwice };
      return;
    }
    const { end, isMargin, isFontTable, isObject, isInstruction, isLink } = this.group;
    this.write(isLink ? this.links.end() + end : end);
    this.group = this.groups.pop() ?? this.group;
    if (isFontTable && !this.group.isFontTable) this.setFont(this.fonts.first);
    if (isObject && !this.group.isObject) this.embedObject();
    if (isInstruction && !this.group.isInstruction) {
      const drawn = drawnByField(this.instruction);
      // The group of the whole field is open now.
      if (!this.group.isLink) this.group.isLink = this.links.startField(this.instruction);
      this.instruction = '';
      this.write(drawn);
    }
    if (isMargin && !this.group.isMargin) {
      if (this.margin.trim() !== '') this.margins.add(this.margin.trim());
      this.margin = '';
    }
  }

  private embedObject(): void {
    const file = objectFile(Buffer.from(this.object.join('').replace(/\s+/g, ''), 'hex'));
    this.object = [];
    if (file !== null) this.out.embed(() => file.bytes, file.name);
  }

  private setBase(encoding: string): void {
    this.fonts.base = encoding;
    this.group.encoding = encoding;
  }

  private setFont(font: RtfFont): void {
    Object.assign(this.group, font);
  }

  private control(word: string, parameter: number | undefined): void {
    if (word !== 'u') this.flush();
    const isOptional = this.isOptional;
    this.isOptional = false;
    if (this.group.isFontTable) this.fonts.describe(word, parameter);
    switch (word) {
      case 'ansicpg':
        this.setBase(encodingOfCodePage(parameter ?? 1252));
        return;
      case 'mac':
      case 'pc':
      case 'pca':
        this.setBase(CHARACTER_SETS[word]);
        return;
      case 'deff':
        this.fonts.usual = parameter ?? 0;
        return;
      case 'f':
        if (!this.group.isFontTable) this.setFont(this.fonts.find(parameter ?? 0));
        return;
      case 'plain':
        this.setFont(this.fonts.first);
        this.group.isHidden = false;
        this.group.isRaised = false;
        return;
      case 'super':
        this.group.isRaised = parameter !== 0;
        return;
      case 'sub':
      case 'nosupersub':
        this.group.isRaised = false;
        return;
      case 'v':
        this.group.isHidden = parameter !== 0;
        return;
      case 'deleted':
        this.group.isSkipped = parameter !== 0;
        return;
      case 'intbl':
        this.group.isInTable = true;
        return;
      case 'pard':
        this.group.isInTable = false;
        this.isDropCap = false;
        return;
      case 'upr':
        this.group.isTwice = true;
        return;
      case 'ud':
        this.group.isSkipped = this.groups.at(-1)?.isSkipped ?? false;
        return;
      case 'dropcapt':
        this.isDropCap = true;
        return;
      case 'atnauthor':
        this.author = '';
        this.group.isAuthor = true;
        return;
      case 'fldinst':
        this.group.isInstruction = true;
        return;
      case 'objdata':
        this.group.isObject = true;
        this.group.isSkipped = true;
        return;
      case 'sn':
        this.property = '';
        this.group.isSkipped = false;
        this.group.isProperty = true;
        return;
      case 'sv':
        if (this.property.trim() !== WORD_ART) return;
        this.group.isSkipped = false;
        this.group.end = '\n';
        return;
      case 'uc':
        this.group.fallback = Math.max(0, parameter ?? 1);
        return;
      case 'u':
        this.unicode(parameter ?? 0);
        return;
    }
    if (word === 'fonttbl') this.group.isFontTable = true;
    if (SKIPPED.has(word) || (isOptional && !(word in REMARKS) && word !== 'shptxt')) this.group.isSkipped = true;
    else if (MARGINS.has(word)) this.group.isMargin = true;
    else if (word in REMARKS) {
      this.write(` [${REMARKS[word]}: ${word === 'annotation' ? this.authorOfComment() : ''}`);
      this.group.isInTable = false;
      this.group.end = '] ';
    } else if (word === 'shptxt') this.group.isSkipped = false;
    else if (word === 'par' && this.isDropCap) this.isDropCap = false;
    else if (word in CHARACTERS) this.writeNamed(word);
  }

  private writeNamed(word: string): void {
    this.write(this.group.isInTable && BLANKS_OF_CELLS.has(word) ? ' ' : CHARACTERS[word]!);
  }

  private authorOfComment(): string {
    const author = this.author.trim();
    this.author = '';
    return author && `${author}: `;
  }

  private symbol(sign: string): void {
    this.flush();
    // Within a group, which StarWriter writes, it says nothing.
    if (sign === '*') this.isOptional = this.isGroupStart;
    else if (sign === '\n' || sign === '\r') this.writeNamed('par');
    else if (sign === '~' || sign === '_') this.write(CHARACTERS[sign]!);
    else if ('\\{}'.includes(sign)) this.byte(sign.charCodeAt(0));
  }

  private unicode(code: number): void {
    this.flush();
    this.writeLetters(withSymbols(String.fromCharCode(code & 0xffff), this.group.symbolFont ?? ''));
    this.skip = this.group.fallback;
  }

  private byte(value: number): void {
    if (this.skip > 0) this.skip -= 1;
    else if (!this.group.isSkipped) this.bytes.push(value);
  }

  /** Decodes the bytes since the last control word: characters of East Asia have two. */
  private flush(): void {
    this.skip = 0;
    if (this.bytes.length === 0) return;
    const { symbolFont, encoding } = this.group;
    const text =
      symbolFont === null
        ? decodeLetters(new Uint8Array(this.bytes), encoding)
        : this.bytes.map((byte) => symbolOf(symbolFont, byte)).join('');
    this.bytes = [];
    this.writeLetters(text);
  }

  private writeLetters(text: string): void {
    this.write(this.group.isRaised ? raised(text) : text);
  }

  private write(text: string): void {
    if (this.group.isSkipped || text === '') return;
    if (this.group.isInstruction) {
      this.instruction += text;
      return;
    }
    if (this.group.isAuthor) {
      this.author = (this.author + text).slice(0, MAX_PROPERTY);
      return;
    }
    if (this.group.isProperty) {
      this.property = (this.property + text).slice(0, MAX_PROPERTY);
      return;
    }
    this.links.add(text);
    const shown = this.group.isHidden && /\S/.test(text) ? `[hidden: ${text}]` : text;
    if (this.group.isMargin) this.margin += shown;
    else this.out.add(shown);
  }
}
