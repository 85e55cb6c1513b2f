import type { OleFile } from '../office/ole.js';
import { ExtractionError, type SectionCollector } from '../sections.js';
import { drawnByField } from '../office/equations/eq-field.js';
import { decode } from '../text/encodings.js';
import { guessEncoding } from '../text/guess-encoding.js';
import { OpenLinks } from '../text/links.js';
import { partsOfWord95 } from './word-95.js';
import { readWord97 } from './word-97.js';

/** Bytes of the header that this file reads (`FibBase`). */
const HEADER = { version: 2, flags: 10, length: 32 } as const;

/** The last version of Word 95; later ones have the text in pieces. */
const WORD_95 = 0x69;

const ENCRYPTED = 0x0100;

/** Reads documents of Word 2, which are no containers. */
export function readWord2(bytes: Buffer, out: SectionCollector): void {
  for (const { label, text } of partsOfWord95(bytes)) addPart(out, label, shownText(text));
}

/** Reads Word documents of the formats before 2007. */
export function readDoc(ole: OleFile, out: SectionCollector): void {
  const stream = ole.stream('WordDocument');
  if (stream === null || stream.length < HEADER.length) throw new ExtractionError('broken');
  if ((stream.readUInt16LE(HEADER.flags) & ENCRYPTED) !== 0) throw new ExtractionError('encrypted');
  const isOld = stream.readUInt16LE(HEADER.version) <= WORD_95;
  const { parts, isDamaged } = isOld
    ? { parts: partsOfWord95(stream), isDamaged: false }
    : readWord97(stream, (name) => ole.stream(name));
  if (isDamaged) out.facts.isDamaged = true;
  const texts = new Map<string, string>();
  for (const { label, text } of parts) texts.set(label, (texts.get(label) ?? '') + shownText(text));
  for (const [label, text] of texts) addPart(out, label, isOld ? text : recoded(text));
  for (const load of ole.embeddedFiles()) out.embed(load);
}

function addPart(out: SectionCollector, label: string, text: string): void {
  if (text.trim() === '') return;
  out.begin('part', label);
  // Notes begin with the place of their number, which Word 95 leaves out.
  out.add(label === '' ? text : text.trim());
}

/** Letters that words of most languages have few of. */
const ACCENTED_SHARE = 0.3;

const LATIN = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 128 }, (_, index) => 128 + index))].map(
    (character, index) => [character, 128 + index],
  ),
);

/** Converted documents keep the bytes of another code page, which were read as Windows-1252. */
function recoded(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  // A space that keeps words together (A0) is no letter.
  const accented = text.match(/[\x80-\x9f\xa1-\xff]/g)?.length ?? 0;
  if (accented <= letters * ACCENTED_SHARE) return text;
  const runs = /[\x80-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/g;
  const bytesOf = (run: string) => Buffer.from(Array.from(run, (character) => LATIN.get(character) ?? 0x20));
  const encoding = guessEncoding(bytesOf((text.match(runs) ?? []).join(' ')));
  return text.replace(runs, (run) => decode(bytesOf(run), encoding));
}

/** Characters of Word's own. A field has an instruction, a mark, and the result that is shown. */
const MARKS: Record<number, string> = { 7: '\t', 9: '\t', 10: '\n', 11: '\n', 12: '\n', 13: '\n', 30: '-' };
const FIELD = { start: 0x13, result: 0x14, end: 0x15 } as const;

/** Fields inside one another. */
const MAX_FIELDS = 100;

/** A text as it is shown, without the instructions of fields, with the addresses of links. */
function shownText(text: string): string {
  /** The instruction of each open field; null once its result has begun. */
  const fields: (string | null)[] = [];
  /** Whether each open field is a link. */
  const areLinks: boolean[] = [];
  const links = new OpenLinks();
  let shown = '';
  const add = (more: string) => {
    const at = fields.findLastIndex((field) => field !== null);
    if (at >= 0) fields[at] += more;
    else {
      links.add(more);
      shown += more;
    }
  };
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (code === FIELD.start && fields.length < MAX_FIELDS) fields.push('');
    else if (code === FIELD.result && fields.length > 0) {
      areLinks[fields.length - 1] = links.startField(fields.at(-1) ?? '');
      fields[fields.length - 1] = null;
    } else if (code === FIELD.end) {
      const instruction = fields.pop() ?? '';
      add(drawnByField(instruction) + (areLinks[fields.length] ? links.end() : ''));
      areLinks.length = fields.length;
    } else add(code < 0x20 ? (MARKS[code] ?? '') : character);
  }
  return shown;
}
