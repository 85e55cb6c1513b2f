import { innerRecords, type PptRecord, recordsBelow } from '../office/drawn/records.js';

/** Types of records ([MS-PPT] 2.13.24). */
const RECORD = {
  objects: 1033,
  string: 4026,
  linkAtom: 4051,
  link: 4055,
  place: 4063,
  action: 4082,
  actionAtom: 4083,
  data: 0xf011,
} as const;

/** Instance of the string that has the address. */
const TARGET = 1;

/** Addresses by the number of their link. */
export type PptLinks = ReadonlyMap<number, string>;

/** The part of a text that leads somewhere. */
export interface LinkedText {
  start: number;
  end: number;
  address: string;
}

/** The links of a presentation, which its texts and shapes name by number. */
export function linksOf(stream: Buffer, document: PptRecord): PptLinks {
  const links = new Map<number, string>();
  for (const link of recordsBelow(stream, [document], RECORD.objects, RECORD.link)) {
    const inner = innerRecords(stream, link);
    const atom = inner.find(({ type }) => type === RECORD.linkAtom);
    const target = inner.find(({ type, instance }) => type === RECORD.string && instance === TARGET);
    if (atom !== undefined && target !== undefined && atom.end - atom.start >= 4)
      links.set(stream.readUInt32LE(atom.start), stream.toString('utf16le', target.start, target.end));
  }
  return links;
}

/** What happens when a text or shape is clicked: the address to which it leads. @returns undefined for another record */
export function addressOfAction(stream: Buffer, record: PptRecord, links: PptLinks): string | undefined {
  if (record.type !== RECORD.action) return undefined;
  const atom = innerRecords(stream, record).find(({ type }) => type === RECORD.actionAtom);
  return atom !== undefined && atom.end - atom.start >= 8 ? links.get(stream.readUInt32LE(atom.start + 4)) : undefined;
}

/** The address to which a shape leads as a whole. @param shape the records inside of it */
export const addressOfShape = (stream: Buffer, shape: readonly PptRecord[], links: PptLinks): string =>
  shape
    .filter(({ type }) => type === RECORD.data)
    .flatMap((data) => innerRecords(stream, data))
    .map((record) => addressOfAction(stream, record, links))
    .find((address) => address !== undefined) ?? '';

/** The letters of a text for which the action before this record is. @returns null for another record */
export function placeOfAction(stream: Buffer, { type, start, end }: PptRecord): [start: number, end: number] | null {
  if (type !== RECORD.place || end - start < 8) return null;
  return [stream.readUInt32LE(start), stream.readUInt32LE(start + 4)];
}
