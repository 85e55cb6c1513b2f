/** Maximum size of a result in bytes. */
export const MAX_RESULT_BYTES = 32 * 1024;

const MARK = '\n\n[The result was cut here.]';

export interface CutText {
  text: string;
  isCut: boolean;
}

/**
 * Cuts a text to a size in UTF-8, between two characters, and marks the cut. Removes what Postgres cannot store.
 * @param isCut the text is the beginning of a longer one
 */
export function cutResult(text: string, maxBytes = MAX_RESULT_BYTES, isCut = false): CutText {
  const clean = text.replaceAll('\0', '').toWellFormed();
  const bytes = Buffer.from(clean);
  const room = maxBytes - Buffer.byteLength(MARK);
  if (bytes.length <= (isCut ? room : maxBytes)) return { text: isCut ? clean + MARK : clean, isCut };
  // A character that the cut divides decodes to a replacement character.
  return { text: new TextDecoder().decode(bytes.subarray(0, room), { stream: true }) + MARK, isCut: true };
}

export const cutText = (text: string, maxBytes = MAX_RESULT_BYTES): string => cutResult(text, maxBytes).text;
