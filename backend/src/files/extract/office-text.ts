import { SaxesParser } from 'saxes';
import { ExtractionError, type TextCollector } from './extraction.js';
import { zipEntries } from './zip-contents.js';

/** Characters per parser call. Reading stops within one chunk of the limit. */
const CHUNK = 64 * 1024;

const WORD_PARTS = /^word\/(document|footnotes|endnotes)\.xml$/;
const SLIDE_PARTS = /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)(\d+)\.xml$/;

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

function decodeXml(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = !isUtf16 ? 'utf-8' : bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  return new TextDecoder(encoding).decode(bytes);
}

/** Adds the text runs of one part of a document or one slide. Links, fields, macros and embedded files are ignored. */
function readPart(xml: string, out: TextCollector): void {
  const parser = new SaxesParser({ xmlns: false });
  let inText = false;
  let fallbacks = 0;
  let cells = 0;
  parser.on('opentag', ({ name }) => {
    const tag = localName(name);
    if (tag === 't') inText = true;
    else if (tag === 'Fallback') fallbacks += 1;
    else if (tag === 'tc') cells += 1;
    else if (tag === 'tab') out.add('\t');
    else if (tag === 'br' || tag === 'cr') out.add('\n');
  });
  parser.on('text', (text) => {
    if (inText && fallbacks === 0) out.add(text);
  });
  parser.on('closetag', ({ name }) => {
    const tag = localName(name);
    if (tag === 't') inText = false;
    else if (tag === 'Fallback') fallbacks -= 1;
    else if (tag === 'p') out.add(cells > 0 ? ' ' : '\n');
    else if (tag === 'tr') out.add('\n');
    else if (tag === 'tc') {
      cells -= 1;
      out.add('\t');
    }
  });
  parser.on('error', () => {
    throw new ExtractionError('broken');
  });
  for (let at = 0; at < xml.length && !out.isFull; at += CHUNK) parser.write(xml.slice(at, at + CHUNK));
}

export function readDocx(bytes: Buffer, out: TextCollector): void {
  const parts = zipEntries(bytes, (name) => WORD_PARTS.test(name));
  if (!parts.has('word/document.xml')) throw new ExtractionError('broken');
  for (const name of ['word/document.xml', 'word/footnotes.xml', 'word/endnotes.xml']) {
    const part = parts.get(name);
    if (part !== undefined) readPart(decodeXml(part), out);
  }
}

/** Slides by number, then the speaker notes. */
export function readPptx(bytes: Buffer, out: TextCollector): void {
  const parts = zipEntries(bytes, (name) => SLIDE_PARTS.test(name));
  const numberOf = (name: string) => Number(SLIDE_PARTS.exec(name)?.[1]);
  const isNotes = (name: string) => name.startsWith('ppt/notesSlides/');
  const names = [...parts.keys()].sort((a, b) => Number(isNotes(a)) - Number(isNotes(b)) || numberOf(a) - numberOf(b));
  if (names.length === 0) throw new ExtractionError('broken');
  for (const name of names) {
    out.add(`${isNotes(name) ? 'Notes' : 'Slide'} ${numberOf(name)}\n`);
    readPart(decodeXml(parts.get(name)!), out);
    out.add('\n');
  }
}
