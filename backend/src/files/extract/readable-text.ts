import { Slices } from '../../platform/system/slices.js';
import { withoutData } from '../formats/text/embedded-data.js';
import { cleanTextInSlices } from '../inspection/text-content.js';

/** Cleans a text and cuts it, in slices: the server itself reads texts in UTF-8. @param max characters */
export async function toReadableText(text: string, max: number): Promise<{ text: string; isCut: boolean }> {
  const slices = new Slices();
  let start = '';
  let isCut = false;
  for (const piece of withoutData(text)) {
    isCut = start.length >= 2 * max;
    if (isCut) break;
    start += piece;
    await slices.pause();
  }
  const clean = await cleanTextInSlices(start);
  return { text: clean.slice(0, max).toWellFormed(), isCut: isCut || clean.length > max };
}
