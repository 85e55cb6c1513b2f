import { cleanText } from '../inspection/text-content.js';
import { MAX_CHARACTERS } from './extraction.js';

/** Cleans a text and cuts it to `MAX_CHARACTERS`. */
export function toReadableText(text: string): { text: string; isCut: boolean } {
  const start = text.slice(0, 2 * MAX_CHARACTERS);
  const clean = cleanText(start);
  const isCut = clean.length > MAX_CHARACTERS || start.length < text.length;
  return { text: clean.slice(0, MAX_CHARACTERS).toWellFormed(), isCut };
}
