import * as xlsx from '@e965/xlsx';
import WordExtractor from 'word-extractor';
import { ExtractionError, type TextCollector } from './extraction.js';

/** Reads Word documents of the format before 2007. */
export async function readDoc(bytes: Buffer, out: TextCollector): Promise<void> {
  const document = await new WordExtractor().extract(bytes).catch((error: unknown) => {
    const isEncrypted = error instanceof Error && /encrypt|password/i.test(error.message);
    throw new ExtractionError(isEncrypted ? 'encrypted' : 'broken');
  });
  out.add(document.getBody());
  out.add(document.getFootnotes());
  out.add(document.getEndnotes());
}

/** The library's reader of OLE compound files, which its types omit. */
const containers = xlsx.CFB as {
  read(bytes: Buffer, options: { type: 'buffer' }): object;
  find(container: object, path: string): { content: Uint8Array } | null;
};

const RECORD_HEADER = 8;
const CONTAINER = 0x0f;
const TEXT_UTF16 = 0x0fa0;
const TEXT_LATIN = 0x0fa8;

/** Reads PowerPoint files of the format before 2007: a tree of records, two kinds of which hold text. */
export function readPpt(bytes: Buffer, out: TextCollector): void {
  const stream = containers.find(containers.read(bytes, { type: 'buffer' }), 'PowerPoint Document');
  if (!stream) throw new ExtractionError('broken');
  const records = Buffer.from(stream.content);
  for (let at = 0; at + RECORD_HEADER <= records.length && !out.isFull;) {
    const isContainer = (records.readUInt16LE(at) & CONTAINER) === CONTAINER;
    const type = records.readUInt16LE(at + 2);
    const start = at + RECORD_HEADER;
    const end = start + records.readUInt32LE(at + 4);
    if (type === TEXT_UTF16) out.add(`${slideText(records.toString('utf16le', start, end))}\n`);
    if (type === TEXT_LATIN) out.add(`${slideText(records.toString('latin1', start, end))}\n`);
    at = isContainer ? start : end;
  }
}

/** PowerPoint ends paragraphs with a carriage return and lines with a vertical tab. */
const slideText = (text: string) => text.replace(/[\r\v]/g, '\n');
