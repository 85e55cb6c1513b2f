export type VectorEncoding = 'float' | 'base64';

/** The field, not the value of `object`, which OpenAI names the same. */
const VECTOR = /"embedding"\s*:\s*("|\[\s*[-\d])/;
/** Characters in which the first vector begins; what comes before it is small. */
const HEAD = 4_000;

type Fields = Readonly<Record<string, unknown>>;

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
 * nests a vector in a list.
 * @returns null when an entry has no vector
 */
export function vectorsAs(encoding: VectorEncoding, data: readonly unknown[]): Fields[] | null {
  const entries = data.map((entry, index) => {
    const fields = typeof entry === 'object' && entry !== null ? (entry as Fields) : {};
    const numbers = numbersOf(fields['embedding']);
    if (numbers === null) return null;
    return {
      ...fields,
      index: fields['index'] ?? index,
      embedding: encoding === 'float' ? numbers : base64Of(numbers),
    };
  });
  return entries.every((entry) => entry !== null) ? entries : null;
}

function numbersOf(vector: unknown): number[] | null {
  if (typeof vector === 'string') return fromBase64(vector);
  if (!Array.isArray(vector) || vector.length === 0) return null;
  if (vector.length === 1 && Array.isArray(vector[0])) return numbersOf(vector[0]);
  return vector.every((number) => typeof number === 'number') ? vector : null;
}

/** Numbers of 32 bits, little end first, as OpenAI sends them. */
function fromBase64(text: string): number[] | null {
  const bytes = Buffer.from(text, 'base64');
  const size = Float32Array.BYTES_PER_ELEMENT;
  if (bytes.length === 0 || bytes.length % size !== 0) return null;
  const numbers = Array.from({ length: bytes.length / size }, (_, at) => bytes.readFloatLE(at * size));
  return numbers.every(Number.isFinite) ? numbers : null;
}

function base64Of(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * Float32Array.BYTES_PER_ELEMENT);
  numbers.forEach((number, at) => bytes.writeFloatLE(number, at * Float32Array.BYTES_PER_ELEMENT));
  return bytes.toString('base64');
}
