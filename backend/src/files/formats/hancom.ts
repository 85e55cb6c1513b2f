import { inflateRawSync } from 'node:zlib';
import type { OleFile } from './office/ole.js';
import { ExtractionError, type SectionCollector } from './sections.js';
import { decodeXml, readXml } from './xml.js';
import { zipEntries } from './zip-contents.js';

/** Bytes that a section of HWP may have inside. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;

/** The flags in the header of HWP 5: its streams are compressed, or have a password. */
const FLAGS_AT = 36;
const COMPRESSED = 1;
const PROTECTED = 2;

/** The record with the characters of a paragraph (`HWPTAG_PARA_TEXT`). */
const PARAGRAPH_TEXT = 67;

/** Control characters of one place; the others take eight. */
const SHORT_CONTROLS: Record<number, string> = {
  0: '',
  10: '\n',
  13: '',
  24: '-',
  25: '',
  26: '',
  27: '',
  28: '',
  29: '',
  30: ' ',
  31: ' ',
};
const TAB = 9;
const LONG_CONTROL = 8;

const SECTION = /^Contents\/section(\d+)\.xml$/i;

/** Elements inside of a text that stand for a character. */
const CHARACTERS = new Map([
  ['tab', '\t'],
  ['lineBreak', '\n'],
  ['nbSpace', ' '],
  ['fwSpace', ' '],
  ['hyphen', '-'],
]);

/** Reads documents of Hancom's word processor in the format of XML. */
export function readHwpx(bytes: Buffer, out: SectionCollector): void {
  const sections = [...zipEntries(bytes, (name) => SECTION.test(name))].sort(
    ([one], [other]) => Number(SECTION.exec(one)![1]) - Number(SECTION.exec(other)![1]),
  );
  for (const [, section] of sections) {
    let isText = false;
    readXml(decodeXml(section), {
      open({ name }) {
        if (name === 't') isText = true;
        out.add(CHARACTERS.get(name) ?? '');
      },
      text(text) {
        if (isText) out.add(text);
      },
      close(name) {
        if (name === 't') isText = false;
        if (name === 'p') out.add('\n');
      },
    });
  }
}

/** Reads those of the version before (HWP 5). */
export function readHwp(ole: OleFile, out: SectionCollector): void {
  const flags = ole.stream('FileHeader')?.readUInt32LE(FLAGS_AT) ?? 0;
  if ((flags & PROTECTED) !== 0) throw new ExtractionError('encrypted');
  for (let index = 0; !out.isFull; index++) {
    const stream = ole.stream(`BodyText/Section${index}`);
    if (stream === null) break;
    const isPacked = (flags & COMPRESSED) !== 0;
    readRecords(isPacked ? inflated(stream) : stream, out);
  }
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch (error) {
    throw new ExtractionError(error instanceof RangeError ? 'hostile' : 'broken');
  }
}

/** Records have their kind and length in one number; longer ones have a number of their own. */
function readRecords(bytes: Buffer, out: SectionCollector): void {
  for (let at = 0; at + 4 <= bytes.length;) {
    const head = bytes.readUInt32LE(at);
    at += 4;
    let size = head >>> 20;
    if (size === 0xfff && at + 4 <= bytes.length) {
      size = bytes.readUInt32LE(at);
      at += 4;
    }
    if ((head & 0x3ff) === PARAGRAPH_TEXT) out.add(`${textOf(bytes.subarray(at, at + size))}\n`);
    at += size;
  }
}

function textOf(bytes: Buffer): string {
  const given = bytes.toString('utf16le');
  let text = '';
  for (let at = 0; at < given.length;) {
    const code = given.charCodeAt(at);
    if (code >= 0x20) {
      text += given[at];
      at += 1;
      continue;
    }
    const short = SHORT_CONTROLS[code];
    text += short ?? (code === TAB ? '\t' : '');
    at += short === undefined ? LONG_CONTROL : 1;
  }
  return text;
}
