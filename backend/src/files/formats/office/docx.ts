import { WordDocument } from './docx-document.js';
import { partText, readPart } from './docx-reader.js';
import type { OfficePackage } from './package.js';
import { ExtractionError, type SectionCollector } from '../sections.js';

/** Parts around the text, in the order in which they are read, by the type of their relationship. */
const AROUND: readonly [type: string, label: string][] = [
  ['footnotes', 'footnotes'],
  ['endnotes', 'endnotes'],
  ['comments', 'comments'],
  ['header', 'headers'],
  ['footer', 'footers'],
];

/** Reads a Word document: its headings begin sections, and notes, comments, headers and footers have sections of their own. */
export function readDocx(office: OfficePackage, out: SectionCollector): void {
  const { main } = office;
  if (main === undefined) throw new ExtractionError('broken');
  const document = new WordDocument(office, main);
  readPart(document, main, out);
  for (const [type, label] of AROUND) {
    const seen = new Set<string>();
    for (const target of office.targets(main, type)) {
      if (out.isFull) return;
      const text = partText(document, target);
      // A document has a header for first, even and odd pages of each chapter, mostly the same.
      if (text === '' || seen.has(text)) continue;
      if (seen.size === 0) out.begin('part', label);
      seen.add(text);
      out.add(`${text}\n`);
    }
  }
}
