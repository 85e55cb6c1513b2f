import { raisedRanges } from './letter-styles.js';
import { innerRecords, type PptRecord } from './records.js';
import { ExtractionError } from '../sections.js';
import { raised } from '../text/looks.js';

/** Types of records ([MS-PPT] 2.13.24). */
const RECORD = {
  text: 4000,
  styles: 4001,
  bytes: 4008,
  string: 4026,
  comment: 12_000,
  headersFooters: 4057,
  shape: 0xf004,
  placeholder: 3011,
} as const;

/** What stands for the fields in texts of a slide. A date of today is left out: nobody knows when it was shown. */
export interface Fields {
  number: string;
  date: string;
  header: string;
  footer: string;
}

export const NO_FIELDS: Fields = { number: '', date: '', header: '', footer: '' };

/** Records of fields, each after the text in which an asterisk stands for it ([MS-PPT] 2.9.50 to 2.9.55). */
const FIELDS: Record<number, keyof Fields | 'today'> = {
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
export function textsOf(stream: Buffer, record: PptRecord, fields: Fields, ownOnly = false, depth = 0): string[] {
  if (depth > MAX_DEPTH) throw new ExtractionError('hostile');
  if (!record.isContainer) return textsIn(stream, [record], fields);
  if (record.type === RECORD.headersFooters) return stringsIn(stream, record);
  if (record.type === RECORD.comment) return commentOf(stream, record);
  const inner = innerRecords(stream, record);
  if (ownOnly && record.type === RECORD.shape && isPlaceholder(stream, inner)) return [];
  const texts = textsIn(stream, inner, fields);
  const containers = inner.filter(({ isContainer }) => isContainer);
  return [...texts, ...containers.flatMap((one) => textsOf(stream, one, fields, ownOnly, depth + 1))];
}

/** The texts among records that follow one another, with their fields. */
export function textsIn(stream: Buffer, records: readonly PptRecord[], fields: Fields): string[] {
  const texts: { text: string; marks: [place: number, value: string][] }[] = [];
  for (const record of records) {
    const text = textOf(stream, record);
    const field = FIELDS[record.type];
    const last = texts.at(-1);
    if (text !== null) texts.push({ text, marks: [] });
    else if (record.type === RECORD.styles && last !== undefined)
      last.text = withRaised(last.text, stream.subarray(record.start, record.end));
    else if (field !== undefined && record.end - record.start >= 4)
      last?.marks.push([stream.readUInt32LE(record.start), field === 'today' ? '' : fields[field]]);
  }
  return texts.map(({ text, marks }) => withFields(text, marks)).filter((text) => text.trim() !== '');
}

function withRaised(text: string, styles: Buffer): string {
  let whole = text;
  for (const [start, end] of raisedRanges(styles, text.length))
    whole = whole.slice(0, start) + raised(whole.slice(start, end)) + whole.slice(end);
  return whole;
}

/** @param marks places of asterisks, and what stands for them */
function withFields(text: string, marks: readonly [place: number, value: string][]): string {
  let whole = text;
  for (const [place, value] of marks.toSorted(([one], [other]) => other - one))
    if (whole[place] === '*') whole = whole.slice(0, place) + value + whole.slice(place + 1);
  return whole;
}

/** Whether a shape holds an atom of a placeholder in its data. */
const isPlaceholder = (stream: Buffer, shape: readonly PptRecord[]): boolean =>
  shape.some((data) => data.isContainer && innerRecords(stream, data).some(({ type }) => type === RECORD.placeholder));

const stringsIn = (stream: Buffer, record: PptRecord): string[] =>
  innerRecords(stream, record)
    .filter(({ type }) => type === RECORD.string)
    .map(({ start, end }) => stream.toString('utf16le', start, end));

/** Author and text of a comment. */
function commentOf(stream: Buffer, comment: PptRecord): string[] {
  const [author, text] = stringsIn(stream, comment);
  return text ? [`[comment: ${author}: ${text}]`] : [];
}

/** Paragraphs end with a carriage return and lines with a vertical tab. */
function textOf(stream: Buffer, { type, start, end }: PptRecord): string | null {
  if (type !== RECORD.text && type !== RECORD.bytes) return null;
  const encoding = type === RECORD.text ? 'utf16le' : 'latin1';
  return stream.toString(encoding, start, end).replace(/[\r\v]/g, '\n');
}
