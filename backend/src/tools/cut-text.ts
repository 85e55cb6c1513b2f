/** Maximum size of a result in bytes. */
export const MAX_RESULT_BYTES = 32 * 1024;

const MARK = '\n\n[The result was cut here.]';

/** Cuts a text to a size in UTF-8, between two characters, and marks the cut. Removes what Postgres cannot store. */
export function cutText(text: string, maxBytes = MAX_RESULT_BYTES): string {
  const clean = text.replaceAll('\0', '').toWellFormed();
  const bytes = Buffer.from(clean);
  if (bytes.length <= maxBytes) return clean;
  const cut = bytes.subarray(0, maxBytes - Buffer.byteLength(MARK));
  // A character that the cut divides decodes to a replacement character.
  return new TextDecoder().decode(cut, { stream: true }) + MARK;
}
