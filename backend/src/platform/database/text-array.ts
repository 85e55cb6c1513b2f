/** Object id of the type `text`. */
const TEXT = 25;

/**
 * A `text[]` in Postgres' binary form. pg writes arrays as a text in which it escapes each quote and backslash, all in one
 * turn of the event loop: a million of them take 100 ms, and this takes 1 ms. The statement casts its parameter to `text[]`.
 */
export function textArray(texts: readonly string[]): Buffer {
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const array = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + size, 20));
  // One dimension, without nulls, and its first index.
  let end = 0;
  for (const number of [1, 0, TEXT, texts.length, 1]) end = array.writeInt32BE(number, end);
  for (const [index, text] of texts.entries()) {
    end = array.writeInt32BE(sizes[index]!, end);
    end += array.write(text, end);
  }
  return array;
}
