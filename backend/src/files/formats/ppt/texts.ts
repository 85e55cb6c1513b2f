import { stylesOf, type TextStyles } from './letter-styles.js';
import { addressOfAction, addressOfShape, type LinkedText, placeOfAction, type PptLinks } from './links.js';
import { type Lists, listsOfShape, numbersOf } from './lists.js';
import { innerRecords, type PptRecord } from '../office/drawn/records.js';
import { PROPERTIES, wordArt } from '../office/drawn/word-art.js';
import { ExtractionError } from '../sections.js';
import { addressBehind } from '../text/links.js';
import { raised } from '../text/looks.js';

/** Types of records ([MS-PPT] 2.13.24). */
const RECORD = {
  head: 3999,
  text: 4000,
  styles: 4001,
  bytes: 4008,
  string: 4026,
  comment: 12_000,
  headersFooters: 4057,
  shape: 0xf004,
  placeholder: 3011,
} as const;

/** What stands for the fields in texts of a slide, and where its links lead. A date of today is left out: nobody knows when it was shown. */
export interface Fields {
  number: string;
  date: string;
  header: string;
  footer: string;
  links: PptLinks;
}

export const NO_FIELDS: Fields = { number: '', date: '', header: '', footer: '', links: new Map() };

/** Records of fields, each after the text in which an asterisk stands for it ([MS-PPT] 2.9.50 to 2.9.55). */
const FIELDS: Record<number, Exclude<keyof Fields, 'links'> | 'today'> = {
  4056: 'number',
  4087: 'today',
  4088: 'date',
  4089: 'header',
  4090: 'footer',
  4117: 'today',
};

/** What instances of strings among headers and footers say. */
const STRINGS = ['date', 'header', 'footer'] as const;

/** Instance of the headers and footers of notes. */
const OF_NOTES = 4;

/** Records inside of one another. */
const MAX_DEPTH = 100;

/** Headers and footers of a document or a slide. */
export function headersOf(stream: Buffer, parent: PptRecord): Partial<Fields> {
  const found = innerRecords(stream, parent).find(
    ({ type, instance }) => type === RECORD.headersFooters && instance !== OF_NOTES,
  );
  if (found === undefined) return {};
  const fields: Partial<Fields> = {};
  for (const { type, instance, start, end } of innerRecords(stream, found)) {
    const name = STRINGS[instance];
    if (type === RECORD.string && name !== undefined) fields[name] = stream.toString('utf16le', start, end);
  }
  return fields;
}

/** The texts of headers and footers. */
export const headerTexts = (stream: Buffer, parent: PptRecord): string[] =>
  innerRecords(stream, parent)
    .filter(({ type }) => type === RECORD.headersFooters)
    .flatMap((record) => stringsIn(stream, record));

/** All texts inside of a record. @param ownOnly without those of placeholders */
export const textsOf = (stream: Buffer, record: PptRecord, fields: Fields, ownOnly = false): string[] =>
  textsWithin(stream, record, { fields, ownOnly, lists: [], depth: 0 });

/** Where a record is. */
interface Context {
  fields: Fields;
  ownOnly: boolean;
  /** Of the shape around it. */
  lists: Lists;
  depth: number;
}

function textsWithin(stream: Buffer, record: PptRecord, context: Context): string[] {
  const { fields, ownOnly, depth } = context;
  if (depth > MAX_DEPTH) throw new ExtractionError('hostile');
  if (!record.isContainer) return textsIn(stream, [record], fields);
  if (record.type === RECORD.headersFooters) return stringsIn(stream, record);
  if (record.type === RECORD.comment) return commentOf(stream, record);
  const inner = innerRecords(stream, record);
  if (ownOnly && record.type === RECORD.shape && isPlaceholder(stream, inner)) return [];
  const lists = record.type === RECORD.shape ? listsOfShape(stream, inner) : context.lists;
  const art = inner.filter(({ type }) => type === PROPERTIES).map((properties) => wordArt(stream, properties));
  const texts = [...art.filter((text) => text.trim() !== ''), ...textsIn(stream, inner, fields, () => lists)];
  const containers = inner.filter(({ isContainer }) => isContainer);
  const all = [
    ...texts,
    ...containers.flatMap((one) => textsWithin(stream, one, { ...context, lists, depth: depth + 1 })),
  ];
  const address = record.type === RECORD.shape && all.length > 0 ? addressOfShape(stream, inner, fields.links) : '';
  return address === '' ? all : [all[0]! + addressBehind(all[0]!, address), ...all.slice(1)];
}

interface PptText {
  text: string;
  /** Places of fields, and what stands for them. */
  marks: [place: number, value: string][];
  links: LinkedText[];
  styles: TextStyles;
  lists: Lists;
}

const NO_STYLES: TextStyles = { paragraphs: [], letters: [] };

/**
 * The texts among records that follow one another, with their fields and the numbers of their lists.
 * @param listsOf the lists of a kind of text: title, body, notes
 */
export function textsIn(
  stream: Buffer,
  records: readonly PptRecord[],
  fields: Fields,
  listsOf: (kind: number) => Lists = () => [],
): string[] {
  const texts: PptText[] = [];
  let kind = 0;
  let address: string | undefined;
  for (const record of records) {
    const text = textOf(stream, record);
    const field = FIELDS[record.type];
    const last = texts.at(-1);
    if (text !== null) texts.push({ text, marks: [], links: [], styles: NO_STYLES, lists: listsOf(kind) });
    else if (record.type === RECORD.head && record.end - record.start >= 4) kind = stream.readUInt32LE(record.start);
    else if (record.type === RECORD.styles && last !== undefined)
      last.styles = stylesOf(stream.subarray(record.start, record.end), last.text.length);
    else if (field !== undefined && record.end - record.start >= 4)
      last?.marks.push([stream.readUInt32LE(record.start), field === 'today' ? '' : fields[field]]);
    const place = placeOfAction(stream, record);
    if (place !== null && address !== undefined) last?.links.push({ start: place[0], end: place[1], address });
    if (place !== null || text !== null) address = undefined;
    address = addressOfAction(stream, record, fields.links) ?? address;
  }
  return texts.map(shown).filter((text) => text.trim() !== '');
}

/** A text as its slide shows it. Paragraphs end with a carriage return and lines with a vertical tab. */
function shown({ text, marks, links, styles, lists }: PptText): string {
  const exponents = styles.letters
    .filter(({ isRaised }) => isRaised)
    .map(({ start, end }) => ({ place: start, length: end - start, value: raised(text.slice(start, end)) }));
  const numbers = numbersOf(text, styles, lists).map(([place, value]) => ({ place, length: 0, value }));
  const fields = marks.filter(([place]) => text[place] === '*').map(([place, value]) => ({ place, length: 1, value }));
  const addresses = links.map(({ start, end, address }) => {
    const linked = text.slice(start, end).trimEnd();
    return { place: start + linked.length, length: 0, value: addressBehind(linked, address) };
  });
  // Raised letters keep the length of a text, and with it the places of the others.
  const whole = edited(
    edited(text, exponents),
    [...numbers, ...fields, ...addresses].toSorted((one, other) => one.place - other.place),
  );
  return whole.replace(/[\r\v]/g, '\n');
}

interface Edit {
  place: number;
  /** Letters that the value replaces. */
  length: number;
  value: string;
}

/** @param edits in the order of their places */
function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { place, length, value } of edits) {
    if (place < at) continue;
    pieces.push(text.slice(at, place), value);
    at = place + length;
  }
  return pieces.join('') + text.slice(at);
}

/** Whether a shape holds an atom of a placeholder in its data. */
const isPlaceholder = (stream: Buffer, shape: readonly PptRecord[]): boolean =>
  shape.some((data) => data.isContainer && innerRecords(stream, data).some(({ type }) => type === RECORD.placeholder));

const stringsIn = (stream: Buffer, record: PptRecord): string[] =>
  innerRecords(stream, record)
    .filter(({ type }) => type === RECORD.string)
    .map(({ start, end }) => stream.toString('utf16le', start, end));

function commentOf(stream: Buffer, comment: PptRecord): string[] {
  const [author, text] = stringsIn(stream, comment);
  return text ? [`[comment: ${author}: ${text}]`] : [];
}

function textOf(stream: Buffer, { type, start, end }: PptRecord): string | null {
  if (type !== RECORD.text && type !== RECORD.bytes) return null;
  const encoding = type === RECORD.text ? 'utf16le' : 'latin1';
  return stream.toString(encoding, start, end);
}
