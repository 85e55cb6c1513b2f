import { inflateSync } from 'node:zlib';
import type { OleFile } from '../office/ole.js';
import { linksOf } from './links.js';
import { type Lists, listsOfOutline, outlineKey } from './lists.js';
import { PptPictures } from './pictures.js';
import { type PptRecord, recordAt, records } from '../office/drawn/records.js';
import { type Fields, headersOf, headerTexts, NO_FIELDS, textsIn, textsOf } from './texts.js';
import { ExtractionError, type SectionCollector } from '../sections.js';
import { decodeAnyText } from '../text/text-file.js';

/** Types of records ([MS-PPT] 2.13.24). */
const RECORD = {
  document: 1000,
  documentAtom: 1001,
  notesAtom: 1009,
  slidePersist: 1011,
  slideInfo: 1017,
  list: 4080,
  userEdit: 4085,
  directory: 6002,
  embedded: 4113,
} as const;

/** Instances of lists. */
const SLIDES = 0;
const MASTERS = 1;
const NOTES = 2;

/** `CurrentUserAtom.headerToken` of an encrypted file. */
const ENCRYPTED_TOKEN = 0xf3d1c4df;

const HIDDEN_FLAG = 0x04;

const MAX_EMBEDDED_BYTES = 32 * 1024 * 1024;

/** The number of the first slide, in the atom of the document ([MS-PPT] 2.4.2). */
const FIRST_NUMBER = 32;

interface ListedSlide {
  persist: number;
  id: number;
  /** Texts of the outline with their fields, which placeholders refer to instead of having them. */
  outline: PptRecord[];
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
  /** Of the texts in the outline. */
  private lists: ReadonlyMap<string, Lists> = new Map();

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
      out.add(top.flatMap((record) => textsOf(stream, record, NO_FIELDS)).join('\n'));
      return;
    }
    this.lists = listsOfOutline(stream, document);
    const notes = this.notesOf(document);
    const pictures = new PptPictures(stream, document, this.pictures);
    const fields = { ...NO_FIELDS, ...headersOf(stream, document), links: linksOf(stream, document) };
    const first = firstNumber(stream, document);
    for (const [index, slide] of slides.entries()) {
      if (out.isFull) return;
      const own = { ...fields, number: String(first + index) };
      this.readSlide(slide, index + 1, own, notes.get(slide.id), pictures);
    }
    this.readMasters(document);
  }

  private readSlide(
    { persist, id, outline }: ListedSlide,
    index: number,
    fields: Fields,
    note: string | undefined,
    pictures: PptPictures,
  ): void {
    const { stream, out } = this;
    const record = this.recordOf(persist);
    const isHidden = record !== undefined && hides(stream, record);
    out.begin('slide', `slide ${index}${isHidden ? ', hidden' : ''}`);
    const shown = record === undefined ? fields : { ...fields, ...headersOf(stream, record) };
    const own = record === undefined ? [] : textsOf(stream, record, shown);
    const outlined = textsIn(stream, outline, shown, (kind) => this.lists.get(outlineKey(id, kind)) ?? []);
    const known = new Set(outlined);
    const drawn = record === undefined ? [] : pictures.textsOf(record);
    out.add([...outlined, ...own.filter((text) => !known.has(text)), ...drawn].join('\n'));
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
        notes.set(this.stream.readUInt32LE(atom.start), textsOf(this.stream, record, NO_FIELDS).join('\n').trim());
    }
    return notes;
  }

  /** What stands on every slide: the masters without the prompts of their placeholders, headers and footers. */
  private readMasters(document: PptRecord): void {
    const texts = new Set<string>();
    for (const { persist } of listed(this.stream, document, MASTERS)) {
      const record = this.recordOf(persist);
      if (record !== undefined)
        for (const text of textsOf(this.stream, record, NO_FIELDS, true)) texts.add(text.trim());
    }
    for (const text of headerTexts(this.stream, document)) texts.add(text.trim());
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
      else slides.at(-1)?.outline.push(record);
    }
  }
  return slides;
}

function firstNumber(stream: Buffer, document: PptRecord): number {
  const atom = [...records(stream, document.start, document.end)].find(({ type }) => type === RECORD.documentAtom);
  return atom === undefined || atom.end - atom.start < FIRST_NUMBER + 2
    ? 1
    : stream.readUInt16LE(atom.start + FIRST_NUMBER);
}

function hides(stream: Buffer, slide: PptRecord): boolean {
  const info = [...records(stream, slide.start, slide.end)].find(({ type }) => type === RECORD.slideInfo);
  return (
    info !== undefined && info.end - info.start >= 12 && (stream.readUInt16LE(info.start + 10) & HIDDEN_FLAG) !== 0
  );
}
