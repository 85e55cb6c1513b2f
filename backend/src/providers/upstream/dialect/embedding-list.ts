import { API_LIMITS } from '@tanya/contract';
import { type Fields, fieldsOf } from '../../../platform/json/fields.js';
import { Slices } from '../../../platform/system/slices.js';

export type VectorEncoding = 'float' | 'base64';

/** The field, not the value of `object`, which OpenAI names the same. */
const VECTOR = /"embedding"\s*:\s*("|\[\s*[-\d])/;
/** Characters in which the first vector begins; what comes before it is small. */
const HEAD = 4_000;

const MOST_NUMBERS = API_LIMITS.embeddingDimensions.max;

/** The encoding of the first vector in a list as JSON; null where there is none that is known. */
export function encodingOf(json: Buffer): VectorEncoding | null {
  const head = json.toString('latin1', 0, HEAD);
  const mark = VECTOR.exec(head.slice(head.indexOf('"data"') + 1));
  if (mark === null) return null;
  return mark[1] === '"' ? 'base64' : 'float';
}

const FIELD = Buffer.from('"embedding"');
const COLON = /^\s*:/;

/** Number of the vectors in a list as JSON, up to a bound. */
export function vectorsIn(json: Buffer, most: number): number {
  let count = 0;
  for (let at = json.indexOf(FIELD); at !== -1 && count < most; at = json.indexOf(FIELD, at + FIELD.length)) {
    const after = at + FIELD.length;
    if (COLON.test(json.toString('latin1', after, after + 10))) count += 1;
  }
  return count;
}

/**
 * The entries of a list with their vectors in one encoding, and with their places, which some servers leave out. llama.cpp
 * nests a vector in a list. They are converted in slices: 29 MB of them hold the event loop for 0.4 s.
 * @returns null when an entry has no vector, or one that is longer than those of any model
 */
export async function vectorsAs(encoding: VectorEncoding, data: readonly unknown[]): Promise<Fields[] | null> {
  const entries: Fields[] = [];
  const slices = new Slices();
  for (const [index, entry] of data.entries()) {
    const fields = fieldsOf(entry);
    const numbers = numbersOf(fields['embedding']);
    if (numbers === null) return null;
    const embedding = encoding === 'float' ? numbers : base64Of(numbers);
    entries.push({ ...fields, index: fields['index'] ?? index, embedding });
    await slices.pause();
  }
  return entries;
}

function numbersOf(vector: unknown): number[] | null {
  if (typeof vector === 'string') return fromBase64(vector);
  if (!Array.isArray(vector) || vector.length === 0 || vector.length > MOST_NUMBERS) return null;
  if (vector.length === 1 && Array.isArray(vector[0])) return numbersOf(vector[0]);
  return vector.every((number) => typeof number === 'number') ? vector : null;
}

/** Numbers of 32 bits, little end first, as OpenAI sends them. */
function fromBase64(text: string): number[] | null {
  const size = Float32Array.BYTES_PER_ELEMENT;
  if (text.length > 2 * size * MOST_NUMBERS) return null;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % size !== 0 || bytes.length > size * MOST_NUMBERS) return null;
  const numbers = Array.from({ length: bytes.length / size }, (_, at) => bytes.readFloatLE(at * size));
  return numbers.every(Number.isFinite) ? numbers : null;
}

function base64Of(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * Float32Array.BYTES_PER_ELEMENT);
  numbers.forEach((number, at) => bytes.writeFloatLE(number, at * Float32Array.BYTES_PER_ELEMENT));
  return bytes.toString('base64');
}
