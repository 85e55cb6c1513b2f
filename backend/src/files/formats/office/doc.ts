import WordExtractor from 'word-extractor';
import type { OleFile } from './ole.js';
import { encodingOfCodePage } from '../rtf.js';
import { ExtractionError, type SectionCollector } from '../sections.js';
import { guessEncoding } from '../text-file.js';

/** Bytes of the header that this file reads (`FibBase`). */
const HEADER = {
  ident: 0,
  version: 2,
  language: 6,
  flags: 10,
  machine: 18,
  textStart: 24,
  textEnd: 28,
  length: 32,
} as const;

/** The last version of Word 95; later ones have the text in pieces. */
const WORD_95 = 0x69;

const ENCRYPTED = 0x0100;

/** Code pages by the language of Windows, those that are not 1252. */
const LANGUAGE_PAGES: Record<number, number> = {
  0x04: 950,
  0x05: 1250,
  0x08: 1253,
  0x0d: 1255,
  0x0e: 1250,
  0x11: 932,
  0x12: 949,
  0x15: 1250,
  0x18: 1250,
  0x19: 1251,
  0x1e: 874,
  0x1f: 1254,
  0x22: 1251,
};

const PARTS: readonly [label: string, text: (document: WordExtractor.Document) => string][] = [
  ['', (document) => document.getBody()],
  ['text boxes', (document) => document.getTextboxes({ includeHeadersAndFooters: false })],
  ['footnotes', (document) => document.getFootnotes()],
  ['endnotes', (document) => document.getEndnotes()],
  ['comments', (document) => document.getAnnotations()],
  ['headers', (document) => document.getHeaders({ includeFooters: false })],
  ['footers', (document) => document.getFooters()],
];

/** Reads Word documents of the formats before 2007. */
export async function readDoc(bytes: Buffer, ole: OleFile, out: SectionCollector): Promise<void> {
  const stream = ole.stream('WordDocument');
  if (stream === null || stream.length < HEADER.length) throw new ExtractionError('broken');
  if ((stream.readUInt16LE(HEADER.flags) & ENCRYPTED) !== 0) throw new ExtractionError('encrypted');
  if (stream.readUInt16LE(HEADER.version) <= WORD_95) {
    out.add(oldText(stream));
    return;
  }
  const page = pageOf(stream);
  const document = await new WordExtractor().extract(bytes).catch(() => {
    throw new ExtractionError('broken');
  });
  for (const [label, textOf] of PARTS) {
    const text = recoded(textOf(document).trim(), page);
    if (text === '') continue;
    out.begin('part', label);
    out.add(text);
  }
}

/** Letters that words of most languages have few of. */
const ACCENTED_SHARE = 0.3;

const LATIN = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, index) => 128 + index))].map(
    (character, index) => [character, 128 + index],
  ),
);

/** The encoding of text with one byte for a character. */
function pageOf(stream: Buffer): string {
  if (stream[HEADER.machine] === 1) return 'macintosh';
  return encodingOfCodePage(LANGUAGE_PAGES[stream.readUInt16LE(HEADER.language) & 0xff] ?? 1252);
}

/** Converted documents keep the bytes of another code page, which the library reads as Windows-1252. */
function recoded(text: string, page: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const accented = text.match(/[\x80-\xff]/g)?.length ?? 0;
  if (page !== 'macintosh' && accented <= letters * ACCENTED_SHARE) return text;
  const runs = /[\x80-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/g;
  const bytesOf = (run: string) => Buffer.from(Array.from(run, (character) => LATIN.get(character) ?? 0x20));
  const encoding = page === 'macintosh' ? page : guessEncoding(bytesOf((text.match(runs) ?? []).join(' ')));
  const decoder = new TextDecoder(encoding);
  return text.replace(runs, (run) => decoder.decode(bytesOf(run)));
}

/** The text of Word 6 and 95: one range of bytes, in the code page of its language. */
function oldText(stream: Buffer): string {
  const bytes = stream.subarray(stream.readUInt32LE(HEADER.textStart), stream.readUInt32LE(HEADER.textEnd));
  const text = new TextDecoder(pageOf(stream)).decode(bytes);
  return [...text].map(shownCharacter()).join('');
}

/** Characters of Word's own. A field has an instruction, a mark, and the result that is shown. */
const MARKS: Record<number, string> = { 7: '\t', 9: '\t', 10: '\n', 11: '\n', 12: '\n', 13: '\n', 30: '-' };
const FIELD = { start: 0x13, result: 0x14, end: 0x15 } as const;

/** Makes a function that gives each character of a text as it is shown. */
function shownCharacter(): (character: string) => string {
  /** Whether the result of each open field has begun. */
  const fields: boolean[] = [];
  let instructions = 0;
  return (character) => {
    const code = character.charCodeAt(0);
    if (code === FIELD.start) {
      fields.push(false);
      instructions += 1;
    } else if (code === FIELD.result && fields.at(-1) === false) {
      fields[fields.length - 1] = true;
      instructions -= 1;
    } else if (code === FIELD.end && fields.pop() === false) instructions -= 1;
    if (instructions > 0) return '';
    return code < 0x20 ? (MARKS[code] ?? '') : character;
  };
}
