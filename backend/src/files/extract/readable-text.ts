import { cleanText } from '../inspection/text-content.js';

/** Cleans a text and cuts it. @param max characters */
export function toReadableText(text: string, max: number): { text: string; isCut: boolean } {
  const start = text.slice(0, 2 * max);
  const clean = cleanText(start);
  const isCut = clean.length > max || start.length < text.length;
  return { text: clean.slice(0, max).toWellFormed(), isCut };
}
