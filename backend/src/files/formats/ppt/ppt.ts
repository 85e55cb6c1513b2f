import { inflateSync } from 'node:zlib';
import type { OleFile } from '../office/ole.js';
import { PptPictures } from './pictures.js';
import { type PptRecord, recordAt, records } from './records.js';
import { ExtractionError, type SectionCollector } from '../sections.js';
import { decodeAnyText } from '../text/text-file.js';

/** Types of records ([MS-PPT] 2.13.24). */
const RECORD = {
  document: 1000,
  notesAtom: 1009,
  slidePersist: 1011,
  slideInfo: 1017,
  list: 4080,
  text: 4000,
  bytes: 4008,
  string: 4026,
  userEdit: 4085,
  directory: 6002,
  comment: 12_000,
  headersFooters: 4057,
  embedded: 4113,
  shape: 0xf004,
  placeholder: 3011,
} as const;

/** Instances of lists. */
const SLIDES = 0;
const MASTERS = 1;
const NOTES = 2;

/** `CurrentUserAtom.headerToken` of an encrypted file. */
const ENCRYPTED_TOKEN = 0xf3d1c4df;

const HIDDEN_FLAG = 0x04;

/** Bytes of one embedded document. */
const MAX_EMBEDDED_BYTES = 32 * 1024 * 1024;

/** Records inside one another. */
const MAX_DEPTH = 100;

interface ListedSlide {
  persist: number;
  id: number;
  /** Text of the outline, which placeholders refer to instead of having it. */
  outline: string[];
}

/** The folder of the newer format in files that have two. */
const DUAL = 'PP97_DUALSTORAGE/';

/** Reads presentations of the format before 2007: slides in the order in which they are shown, each with its notes. */
export function readPpt(ole: OleFile, out: SectionCollector): void {
  const folder = ole.has(`${DUAL}PowerPoint Document`) ? DUAL : '';
  const user = ole.stream(`${folder}Current User`);
  if (user !== null && user.length >= 16 && user.readUInt32LE(12) === ENCRYPTED_TOKEN)
    throw new ExtractionError('encrypted');
  const stream = ole.stream(`${folder}PowerPoint Document`);
  if (stream === null) throw new ExtractionError('broken');
  new PptReader(stream, user, ole.stream(`${folder}Pictures`), out).read();
  // PowerPoint 95 has other records, and the whole text in a stream of its own.
  const whole = ole.stream('Text_Content');
  if (!out.hasText && whole !== null) out.add(decodeAnyText(whole)?.text ?? '');
}

class PptReader {
  private readonly offsets: ReadonlyMap<number, number>;

  constructor(
    private readonly stream: Buffer,
    currentUser: Buffer | null,
    private readonly pictures: Buffer | null,
    private readonly out: SectionCollector,
  ) {
    this.offsets = persistOffsets(stream, currentUser);
  }

  read(): void {
    const { stream, out } = this;
    const top = [...records(stream, 0, stream.length)];
    const document = top.findLast(({ type }) => type === RECORD.document);
    const slides = document === undefined ? [] : listed(stream, document, SLIDES);
    for (const record of top) if (record.type === RECORD.embedded) out.embed(() => embeddedFile(stream, record));
    if (document === undefined || slides.length === 0) {
      // Without a list, all texts are kept in the order of the file.
      out.add(top.flatMap((record) => textsOf(stream, record)).join('\n'));
      return;
    }
    const notes = this.notesOf(document);
    const pictures = new PptPictures(stream, document, this.pictures);
    for (const [index, slide] of slides.entries()) {
      if (out.isFull) return;
      this.readSlide(slide, index + 1, notes.get(slide.id), pictures);
    }
    this.readMasters(document);
  }

  private readSlide(
    { persist, outline }: ListedSlide,
    number: number,
    note: string | undefined,
    pictures: PptPictures,
  ): void {
    const { stream, out } = this;
    const record = this.recordOf(persist);
    const isHidden = record !== undefined && hides(stream, record);
    out.begin('slide', `slide ${number}${isHidden ? ', hidden' : ''}`);
    const own = record === undefined ? [] : textsOf(stream, record);
    const known = new Set(outline);
    const drawn = record === undefined ? [] : pictures.textsOf(record);
    out.add([...outline, ...own.filter((text) => !known.has(text)), ...drawn].join('\n'));
    if (note) out.add(`\n\nNotes:\n${note}`);
  }

  /** Notes by the id of their slide. */
  private notesOf(document: PptRecord): Map<number, string> {
    const notes = new Map<number, string>();
    for (const { persist } of listed(this.stream, document, NOTES)) {
      const record = this.recordOf(persist);
      if (record === undefined) continue;
      const atom = [...records(this.stream, record.start, record.end)].find(({ type }) => type === RECORD.notesAtom);
      if (atom !== undefined && atom.end - atom.start >= 4)
        notes.set(this.stream.readUInt32LE(atom.start), textsOf(this.stream, record).join('\n').trim());
    }
    return notes;
  }

  /** What stands on every slide: the masters without the prompts of their placeholders, headers and footers. */
  private readMasters(document: PptRecord): void {
    const texts = new Set<string>();
    for (const { persist } of listed(this.stream, document, MASTERS)) {
      const record = this.recordOf(persist);
      if (record !== undefined) for (const text of textsOf(this.stream, record, true)) texts.add(text.trim());
    }
    for (const record of records(this.stream, document.start, document.end)) {
      if (record.type === RECORD.headersFooters)
        for (const text of stringsIn(this.stream, record)) texts.add(text.trim());
    }
    texts.delete('');
    texts.delete('*');
    if (texts.size === 0) return;
    this.out.begin('part', 'on the slide masters');
    this.out.add([...texts].join('\n'));
  }

  private recordOf(persist: number): PptRecord | undefined {
    const offset = this.offsets.get(persist);
    return offset === undefined ? undefined : recordAt(this.stream, offset);
  }
}

/** The container of an OLE object, which may be compressed after its size. */
const embeddedFile = (stream: Buffer, { instance, start, end }: PptRecord): Uint8Array =>
  instance === 0
    ? stream.subarray(start, end)
    : inflateSync(stream.subarray(start + 4, end), { maxOutputLength: MAX_EMBEDDED_BYTES });

/** Offsets of slides and notes by their number: each save adds a directory, of which the last one counts. */
function persistOffsets(stream: Buffer, currentUser: Buffer | null): Map<number, number> {
  const offsets = new Map<number, number>();
  const seen = new Set<number>();
  let edit = currentUser === null || currentUser.length < 20 ? 0 : currentUser.readUInt32LE(16);
  while (edit > 0 && !seen.has(edit)) {
    seen.add(edit);
    const record = recordAt(stream, edit);
    if (record?.type !== RECORD.userEdit || record.end - record.start < 16) break;
    readDirectory(stream, stream.readUInt32LE(record.start + 12), offsets);
    edit = stream.readUInt32LE(record.start + 8);
  }
  return offsets;
}

function readDirectory(stream: Buffer, at: number, offsets: Map<number, number>): void {
  const record = recordAt(stream, at);
  if (record?.type !== RECORD.directory) return;
  for (let entry = record.start; entry + 4 <= record.end;) {
    const head = stream.readUInt32LE(entry);
    const [first, count] = [head & 0xfffff, head >>> 20];
    entry += 4;
    for (let index = 0; index < count && entry + 4 <= record.end; index++, entry += 4) {
      if (!offsets.has(first + index)) offsets.set(first + index, stream.readUInt32LE(entry));
    }
  }
}

/** The slides or notes of the document, in order, with the text of its outline. */
function listed(stream: Buffer, document: PptRecord, instance: number): ListedSlide[] {
  const slides: ListedSlide[] = [];
  for (const list of records(stream, document.start, document.end)) {
    if (list.type !== RECORD.list || list.instance !== instance) continue;
    for (const record of records(stream, list.start, list.end)) {
      if (record.type === RECORD.slidePersist && record.end - record.start >= 16)
        slides.push({
          persist: stream.readUInt32LE(record.start),
          id: stream.readUInt32LE(record.start + 12),
          outline: [],
        });
      else {
        const text = textOf(stream, record);
        if (text !== null) slides.at(-1)?.outline.push(text);
      }
    }
  }
  return slides;
}

function hides(stream: Buffer, slide: PptRecord): boolean {
  const info = [...records(stream, slide.start, slide.end)].find(({ type }) => type === RECORD.slideInfo);
  return (
    info !== undefined && info.end - info.start >= 12 && (stream.readUInt16LE(info.start + 10) & HIDDEN_FLAG) !== 0
  );
}

/** All texts inside of a record. @param ownOnly without those of placeholders */
function textsOf(stream: Buffer, record: PptRecord, ownOnly = false, depth = 0): string[] {
  if (!record.isContainer) {
    const text = textOf(stream, record);
    return text === null ? [] : [text];
  }
  if (depth > MAX_DEPTH) throw new ExtractionError('hostile');
  if (record.type === RECORD.headersFooters) return stringsIn(stream, record);
  if (record.type === RECORD.comment) return commentOf(stream, record);
  if (ownOnly && record.type === RECORD.shape && isPlaceholder(stream, record)) return [];
  return [...records(stream, record.start, record.end)].flatMap((inner) => textsOf(stream, inner, ownOnly, depth + 1));
}

/** Whether a shape holds an atom of a placeholder in its data. */
const isPlaceholder = (stream: Buffer, shape: PptRecord): boolean =>
  [...records(stream, shape.start, shape.end)].some(
    (data) =>
      data.isContainer && [...records(stream, data.start, data.end)].some(({ type }) => type === RECORD.placeholder),
  );

const stringsIn = (stream: Buffer, record: PptRecord): string[] =>
  [...records(stream, record.start, record.end)]
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
