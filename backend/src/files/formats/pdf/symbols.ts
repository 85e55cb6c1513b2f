import type { Pdf } from './pdfium.js';
import { PRIVATE, symbolOf } from '../text/symbol-fonts.js';

/** Bullets and other symbols of one page that are looked at: each takes two calls. */
const MAX_SYMBOLS = 2_000;

const NAME_BYTES = 100;

/** Fonts with symbols by the beginning of their name, behind the letters of a font that a file has in part. */
const FONTS: readonly [RegExp, string][] = [
  [/^(?:[A-Z]{6}\+)?Symbol/, 'Symbol'],
  [/^(?:[A-Z]{6}\+)?Wingdings[ -]?2/, 'Wingdings 2'],
  [/^(?:[A-Z]{6}\+)?Wingdings(?![ -]?3)/, 'Wingdings'],
  [/^(?:[A-Z]{6}\+)?Webdings/, 'Webdings'],
];

/**
 * The text of a page with the symbols of such fonts as they are shown; those of other fonts stay.
 * @param text handle of the text
 */
export function withShownSymbols(pdf: Pdf, text: number, read: string): string {
  let count = 0;
  return read.replace(PRIVATE, (character, place: number) => {
    count += 1;
    if (count > MAX_SYMBOLS) return character;
    const name = fontAt(pdf, text, place);
    const font = FONTS.find(([pattern]) => pattern.test(name))?.[1];
    return font === undefined ? character : symbolOf(font, character.charCodeAt(0) & 0xff);
  });
}

/** The name of a character's font; '' for one without. */
function fontAt(pdf: Pdf, text: number, place: number): string {
  const { library } = pdf;
  const index = library.FPDFText_GetCharIndexFromTextIndex(text, place);
  if (index < 0) return '';
  return pdf.withMemory(NAME_BYTES, (at) => {
    const length = library.FPDFText_GetFontInfo(text, index, at, NAME_BYTES, 0);
    return length > 0 && length <= NAME_BYTES ? pdf.memory(at, length - 1).toString('latin1') : '';
  });
}
