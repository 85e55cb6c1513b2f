import { Slices } from '../../platform/system/slices.js';
import { parseAnswer } from '../../platform/json/json-text.js';
import { decodedText } from '../../platform/system/decoded-text.js';
import { UnusableVectors } from '../../providers/provider-error.js';

/** A vector as it is stored: first compared by its bits, then by its numbers. */
export interface StoredVector {
  /** The signs of the numbers, `1` for a positive one. */
  bits: string;
  /** Of 8 bits each, with a sign. */
  numbers: Buffer;
  /** Times a number gives the number of the vector of length 1. */
  scale: number;
}

/** Numbers of a vector; no model has more, and their bits have to fit into a row. */
const MAX_SIZE = 16_000;

/** The largest number of 8 bits. */
const MAX_NUMBER = 127;

/**
 * The vectors in a list as OpenAI sends it, in base64, each of length 1 and in the order of the texts.
 * @param count of the texts
 * @throws UnusableVectors for another number of vectors, none, or vectors that differ in size
 */
export async function vectorsIn(json: Buffer, count: number): Promise<Float32Array[]> {
  const parsed = await parseAnswer(await decodedText(json)).catch(() => null);
  const data = (parsed as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) throw new UnusableVectors('another number of vectors than texts');
  const vectors: Float32Array[] = [];
  const slices = new Slices();
  for (const entry of inOrder(data.map(toEntry))) {
    const vector = unitVector(entry);
    if (vector === null || vector.length !== (vectors[0] ?? vector).length)
      throw new UnusableVectors('no vectors of one size');
    vectors.push(vector);
    await slices.pause();
  }
  return vectors;
}

interface Entry {
  index?: unknown;
  embedding?: unknown;
}

const toEntry = (value: unknown): Entry => (typeof value === 'object' && value !== null ? value : {});

/** By their indexes, unless some are missing or alike: then as they came. */
function inOrder(entries: readonly Entry[]): readonly Entry[] {
  const ordered: Entry[] = [];
  for (const entry of entries) if (Number.isInteger(entry.index)) ordered[entry.index as number] = entry;
  const isWhole = ordered.length === entries.length && Object.keys(ordered).length === entries.length;
  return isWhole ? ordered : entries;
}

function unitVector({ embedding }: Entry): Float32Array | null {
  if (typeof embedding !== 'string') return null;
  const bytes = Buffer.from(embedding, 'base64');
  const size = bytes.length / Float32Array.BYTES_PER_ELEMENT;
  if (!Number.isInteger(size) || size === 0 || size > MAX_SIZE) return null;
  const vector = Float32Array.from({ length: size }, (_, at) => bytes.readFloatLE(at * Float32Array.BYTES_PER_ELEMENT));
  const length = Math.hypot(...vector);
  return Number.isFinite(length) && length > 0 ? vector.map((number) => number / length) : null;
}

/** @param vector of length 1 */
export function storedVector(vector: Float32Array): StoredVector {
  const scale = vector.reduce((most, number) => Math.max(most, Math.abs(number)), 0) / MAX_NUMBER;
  const numbers = Int8Array.from(vector, (number) => Math.round(number / scale));
  return { bits: bitsOf(vector), numbers: Buffer.from(numbers.buffer), scale };
}

export function bitsOf(vector: Float32Array): string {
  let bits = '';
  for (const number of vector) bits += number > 0 ? '1' : '0';
  return bits;
}

/** The cosine of the angle between two vectors. @param vector of length 1 */
export function similarity(vector: Float32Array, { numbers, scale }: Pick<StoredVector, 'numbers' | 'scale'>): number {
  const stored = new Int8Array(numbers.buffer, numbers.byteOffset, numbers.length);
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += vector[at]! * stored[at]!;
  return sum * scale;
}
