import { inflateSync } from 'node:zlib';
import { macTexts } from '../office/drawn/mac-picture.js';
import { linesOf, metafileText } from '../office/drawn/metafile.js';
import { innerRecords, type PptRecord, recordAt, recordsBelow } from '../office/drawn/records.js';

/** Types of records ([MS-ODRAW] 2.2). */
const RECORD = { group: 1035, drawings: 0xf000, store: 0xf001, entry: 0xf007, properties: 0xf00b } as const;

/** Vector pictures: Enhanced and Windows Metafiles, and those of a Macintosh. */
const METAFILES = new Set([0xf01a, 0xf01b]);
const MAC_PICTURE = 0xf01c;

/** Instances of pictures that have a second identifier, which stands for the picture without its compression. */
const SECOND_IDENTIFIER = new Set([0x3d5, 0x217, 0x543]);

const IDENTIFIER_BYTES = 16;

/** Of a metafile's head: sizes, and whether it is compressed, at its end. */
const HEAD_BYTES = 34;
const COMPRESSION = 32;
const DEFLATED = 0;

/** Place of a picture in the stream of pictures, in its entry. */
const PLACE = 28;

/** Property of a shape that names its picture, from 1. */
const PICTURE = 0x0104;
const PROPERTY_BYTES = 6;
const PROPERTY_ID = 0x3fff;

/** Bytes of all pictures together. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The vector pictures of a presentation, such as charts of other programs, which draw text. */
export class PptPictures {
  private readonly places: readonly number[];
  private readonly known = new Map<number, string>();
  private left = MAX_BYTES;

  /** @param pictures the stream of pictures; null for a presentation without any */
  constructor(
    private readonly stream: Buffer,
    document: PptRecord,
    private readonly pictures: Buffer | null,
  ) {
    this.places = recordsBelow(stream, [document], RECORD.group, RECORD.drawings, RECORD.store)
      .flatMap((store) => innerRecords(stream, store))
      .map((entry) =>
        entry.type === RECORD.entry && entry.end - entry.start >= PLACE + 4
          ? stream.readUInt32LE(entry.start + PLACE)
          : -1,
      );
  }

  textsOf(slide: PptRecord): string[] {
    const numbers = new Set<number>();
    if (this.pictures !== null) this.find(slide, numbers);
    return [...numbers]
      .map((number) => this.textAt(this.places[number - 1] ?? -1))
      .filter(Boolean)
      .map((text) => `[picture: ${text}]`);
  }

  private find(record: PptRecord, numbers: Set<number>): void {
    if (record.type !== RECORD.properties) {
      if (record.isContainer) for (const inner of innerRecords(this.stream, record)) this.find(inner, numbers);
      return;
    }
    const end = Math.min(record.start + record.instance * PROPERTY_BYTES, record.end - PROPERTY_BYTES + 1);
    for (let at = record.start; at < end; at += PROPERTY_BYTES)
      if ((this.stream.readUInt16LE(at) & PROPERTY_ID) === PICTURE) numbers.add(this.stream.readUInt32LE(at + 2));
  }

  /** @param place -1 for a picture that is not there */
  private textAt(place: number): string {
    const known = this.known.get(place);
    if (known !== undefined) return known;
    const picture = place < 0 ? undefined : recordAt(this.pictures!, place);
    const text = picture === undefined ? '' : this.drawnBy(picture);
    this.known.set(place, text);
    return text;
  }

  /** '' for pictures that are made of points, and for damaged ones. */
  private drawnBy(picture: PptRecord): string {
    if (picture.type !== MAC_PICTURE && !METAFILES.has(picture.type)) return '';
    const content = this.contentOf(picture);
    if (content === null) return '';
    return picture.type === MAC_PICTURE ? linesOf(macTexts(content)) : metafileText(content);
  }

  /** The picture without its head; null for a damaged one. */
  private contentOf({ instance, start, end }: PptRecord): Buffer | null {
    const head = start + IDENTIFIER_BYTES * (SECOND_IDENTIFIER.has(instance) ? 2 : 1);
    const packed = this.pictures!.subarray(head + HEAD_BYTES, end);
    if (this.pictures![head + COMPRESSION] !== DEFLATED) return packed;
    try {
      const content = inflateSync(packed, { maxOutputLength: Math.max(this.left, 1) });
      this.left -= content.length;
      return content;
    } catch {
      return null;
    }
  }
}
