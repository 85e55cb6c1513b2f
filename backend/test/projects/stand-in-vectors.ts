/**
 * Vectors for tests, where no embedding model is at hand: words are hashed, and words of one concept, such as `leave` and
 * `cuti`, are one word. They show that vectors are asked for, kept, compared and joined; they say nothing about a model.
 */

/** Numbers of a vector. */
export const VECTOR_SIZE = 256;

/** Share of the parts of a word: other forms of it, such as `bayar` and `membayar`, are near to it. */
const PARTS_WEIGHT = 0.35;

const WORD = /[\p{L}\p{N}]+/gu;

/** The direction of a word: pseudorandom numbers, the same for each call. */
function addHashed(vector: Float32Array, word: string, weight: number): void {
  let state = 2_166_136_261;
  for (let at = 0; at < word.length; at += 1) state = Math.imul(state ^ word.charCodeAt(at), 16_777_619) >>> 0;
  for (let at = 0; at < vector.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    vector[at]! += state & 0x8000_0000 ? weight : -weight;
  }
}

/** @param conceptOf a word in lower case; null for one without meaning, such as `the` */
export function vectorOf(text: string, conceptOf: (word: string) => string | null, size = VECTOR_SIZE): Float32Array {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const concept = conceptOf(word);
    if (concept !== null) counts.set(concept, (counts.get(concept) ?? 0) + 1);
  }
  const vector = new Float32Array(size);
  for (const [word, count] of counts) {
    const weight = Math.sqrt(count);
    addHashed(vector, word, weight);
    for (let at = 0; at + 4 <= word.length; at += 1)
      addHashed(vector, `part ${word.slice(at, at + 4)}`, (PARTS_WEIGHT * weight) / (word.length - 3));
  }
  // A text without any word still has a direction.
  if (counts.size === 0) addHashed(vector, '', 1);
  return vector;
}
