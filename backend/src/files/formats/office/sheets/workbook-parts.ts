import { readLenient } from './lenient-part.js';
import { richValues } from './rich-values.js';
import type { OfficePackage } from '../package.js';
import { ExtractionError } from '../../sections.js';
import { raised, withLetters } from '../../text/looks.js';
import { withAuthor } from '../../text/comment-author.js';
import { isOn } from '../../xml.js';

/** What the sheets of a workbook share. */
export interface Workbook {
  strings: readonly string[];
  /** The number formats of cells, by the number of their style. */
  formats: readonly string[];
  /** Whether a line goes through the letters of cells, by the number of their style. */
  struck: readonly boolean[];
  /** Whether it counts days from 1904. */
  isFrom1904: boolean;
  /** What cells show in place of an error that is none, by the number of their value. */
  richValues: readonly (string | undefined)[];
  /** Names of the authors of threads, by their numbers. */
  persons: ReadonlyMap<string, string>;
}

export interface ListedSheet {
  name: string;
  /** 0 for a shown one, 1 for a hidden one, 2 for one that only a program shows again. */
  visibility: number;
  /** Its part; undefined for one that the file does not have. */
  path: string | undefined;
}

const STATES = ['visible', 'hidden', 'veryHidden'];

const NOTHING = new Uint8Array();

/** The sheets of a workbook in their order, and what they share. @throws ExtractionError `broken` without any sheet */
export function workbookOf(office: OfficePackage, main: string): Workbook & { sheets: ListedSheet[] } {
  const sheets: ListedSheet[] = [];
  let isFrom1904 = false;
  readLenient(office.bytes(main) ?? NOTHING, {
    open({ name, attributes }) {
      if (name === 'workbookPr') isFrom1904 = /^(?:1|true|on)$/i.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const usual = `${main.slice(0, main.lastIndexOf('/') + 1)}worksheets/sheet${sheets.length + 1}.xml`;
      const path = office.target(main, attributes.id) ?? usual;
      sheets.push({
        name: attributes.name ?? '',
        visibility: Math.max(STATES.indexOf(attributes.state ?? ''), 0),
        path: office.bytes(path) === undefined ? undefined : path,
      });
    },
  });
  if (sheets.length === 0) throw new ExtractionError('broken');
  const part = (type: 'sharedStrings' | 'styles') => office.bytes(pathOf(office, main, type) ?? '') ?? NOTHING;
  return {
    sheets,
    isFrom1904,
    strings: sharedStrings(part('sharedStrings')),
    ...cellStyles(part('styles')),
    richValues: richValues(office, main),
    persons: personsOf(office, main),
  };
}

function personsOf(office: OfficePackage, main: string): Map<string, string> {
  const persons = new Map<string, string>();
  for (const path of office.targets(main, 'person'))
    readLenient(office.bytes(path)!, {
      open({ name, attributes: { id, displayName } }) {
        if (name === 'person' && id !== undefined && displayName) persons.set(id, displayName);
      },
    });
  return persons;
}

/** The path of a part by its relationship, else by its media type. */
const pathOf = (office: OfficePackage, main: string, type: string): string | undefined =>
  office.targets(main, type)[0] ??
  [...office.contentTypes].find(([, own]) => own.endsWith(`.${type.toLowerCase()}+xml`))?.[0];

/** Characters that XML does not have, by their numbers, such as `_x000D_`. */
const ESCAPE = /_x([\da-f]{4})_/gi;

export const unescaped = (text: string): string =>
  text.includes('_x') ? text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text;

/** A shared text; the second name is that of the first versions of 2006. */
const ITEM = /^(?:si|sstItem)$/;

/** The texts that cells refer to by their number, without the readings of Japanese words. */
function sharedStrings(part: Uint8Array): string[] {
  const strings: string[] = [];
  let text = '';
  let inText = false;
  let isReading = false;
  let isRaised = false;
  let isStruck = false;
  const endRun = () => {
    isRaised = false;
    isStruck = false;
  };
  readLenient(part, {
    open({ name, attributes }) {
      if (ITEM.test(name)) text = '';
      else if (name === 'rPh') isReading = true;
      else if (name === 'r') endRun();
      else if (name === 'vertAlign') isRaised = attributes.val === 'superscript';
      else if (name === 'strike') isStruck = isOn(attributes.val);
      inText = name === 't' && !isReading;
    },
    text(piece) {
      if (inText) text = withLetters(text, isRaised ? raised(piece) : piece, isStruck);
    },
    close(name) {
      inText = false;
      if (name === 'r') endRun();
      else if (name === 'rPh') isReading = false;
      else if (ITEM.test(name)) strings.push(unescaped(text));
    },
  });
  return strings;
}

export const GENERAL = 'General';

const DATE = 'm/d/yy';

/** Formats that files name by their number alone. Those that differ by region have the common one. */
const BUILT_IN = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '#,##0 ;(#,##0)'],
  [6, '#,##0 ;[Red](#,##0)'],
  [7, '#,##0.00;(#,##0.00)'],
  [8, '#,##0.00;[Red](#,##0.00)'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, DATE],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, `${DATE} h:mm`],
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id): [number, string] => [id, DATE]),
  [32, 'h:mm'],
  [33, 'h:mm:ss'],
  [37, '#,##0 ;(#,##0)'],
  [38, '#,##0 ;[Red](#,##0)'],
  [39, '#,##0.00;(#,##0.00)'],
  [40, '#,##0.00;[Red](#,##0.00)'],
  [41, '#,##0'],
  [42, '#,##0'],
  [43, '#,##0.00'],
  [44, '#,##0.00'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mmss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
]);

/** The number formats of cells, and whether a line goes through their letters, by the number of their style. */
function cellStyles(part: Uint8Array): Pick<Workbook, 'formats' | 'struck'> {
  const own = new Map<number, string>();
  const ids: number[] = [];
  const fonts: boolean[] = [];
  const struck: boolean[] = [];
  let list = '';
  readLenient(part, {
    open({ name, attributes }) {
      if (name === 'numFmts' || name === 'cellXfs' || name === 'fonts') list = name;
      else if (list === 'numFmts' && name === 'numFmt')
        own.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      else if (list === 'fonts' && name === 'font') fonts.push(false);
      else if (list === 'fonts' && name === 'strike') fonts[fonts.length - 1] = isOn(attributes.val);
      else if (list === 'cellXfs' && name === 'xf') {
        ids.push(Number(attributes.numFmtId ?? 0));
        struck.push(fonts[Number(attributes.fontId ?? 0)] ?? false);
      }
    },
    close(name) {
      if (name === list) list = '';
    },
  });
  return { formats: ids.map((id) => own.get(id) ?? BUILT_IN.get(id) ?? GENERAL), struck };
}

/** Comments of a sheet, each as the name of its cell and its text. Threads replace the note that stands for them. */
export function commentsOf(
  office: OfficePackage,
  sheet: string,
  persons: ReadonlyMap<string, string>,
): [cell: string, text: string][] {
  const read = (type: string) =>
    office.targets(sheet, type).flatMap((path) => commentsIn(office.bytes(path)!, persons));
  const threads = read('threadedComment');
  const threaded = new Set(threads.map(([cell]) => cell));
  return [...read('comments').filter(([cell]) => !threaded.has(cell)), ...threads];
}

interface Comment {
  cell: string;
  author: string | undefined;
  text: string;
}

function commentsIn(part: Uint8Array, persons: ReadonlyMap<string, string>): [cell: string, text: string][] {
  const comments: Comment[] = [];
  const authors: string[] = [];
  let isAuthor = false;
  let isThread = false;
  let isReading = false;
  let inText = false;
  readLenient(part, {
    open({ name, attributes }) {
      if (name === 'comment' || name === 'threadedComment') {
        isThread = name === 'threadedComment';
        const author = isThread ? persons.get(attributes.personId ?? '') : authors[Number(attributes.authorId)];
        comments.push({ cell: attributes.ref ?? '', author, text: '' });
      } else if (name === 'rPh') isReading = true;
      isAuthor = name === 'author';
      if (isAuthor) authors.push('');
      inText = name === (isThread ? 'text' : 't') && !isReading;
    },
    text(piece) {
      const last = comments.at(-1);
      if (isAuthor) authors[authors.length - 1] += piece;
      else if (inText && last !== undefined) last.text += piece;
    },
    close(name) {
      isAuthor = false;
      if (name === 'rPh') isReading = false;
      inText = false;
    },
  });
  return comments
    .filter(({ text }) => /\S/.test(text))
    .map(({ cell, author, text }) => [cell, withAuthor(author, unescaped(text))]);
}
