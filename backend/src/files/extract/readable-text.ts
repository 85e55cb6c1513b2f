import { cleanTextInSlices } from '../inspection/text-content.js';

/** Cleans a text and cuts it, in slices: the server itself reads texts in UTF-8. @param max characters */
export async function toReadableText(text: string, max: number): Promise<{ text: string; isCut: boolean }> {
  const start = text.slice(0, 2 * max);
  const clean = await cleanTextInSlices(start);
  const isCut = clean.length > max || start.length < text.length;
  return { text: clean.slice(0, max).toWellFormed(), isCut };
}
