import { UnusableVectors } from '../../providers/provider-error.js';
import { bitsOf, similarity, storedVector, vectorsIn } from './vectors.js';

const base64 = (numbers: number[]): string => Buffer.from(Float32Array.from(numbers).buffer).toString('base64');

const answer = (data: unknown): Buffer => Buffer.from(JSON.stringify({ object: 'list', data }));

const listed = (...vectors: number[][]): unknown[] =>
  vectors.map((vector, index) => ({ index, embedding: base64(vector) }));

describe('the vectors of an answer', () => {
  it('have the length 1', async () => {
    expect(await vectorsIn(answer(listed([3, 4], [0, -2])), 2)).toEqual([
      Float32Array.from([0.6, 0.8]),
      Float32Array.from([0, -1]),
    ]);
  });

  it('come in the order of their indexes, or as they are where the indexes say nothing', async () => {
    const [first, second] = listed([1, 0], [0, 1]) as { index: number }[];
    const [x, y] = [Float32Array.from([1, 0]), Float32Array.from([0, 1])];
    expect(await vectorsIn(answer([second, first]), 2)).toEqual([x, y]);
    for (const index of [0, undefined, 'a', -1, 1e9]) {
      const alike = [first, second].map((entry) => ({ ...entry, index }));
      expect(await vectorsIn(answer(alike), 2)).toEqual([x, y]);
    }
  });

  it.each([
    ['no JSON', Buffer.from('<html>')],
    ['no list', answer({})],
    ['too few', answer(listed([1, 0]))],
    ['too many', answer(listed([1], [1], [1]))],
    ['several sizes', answer(listed([1, 0], [1, 0, 0]))],
    ['no number', answer(listed([1, 0], [NaN, 0]))],
    ['no direction', answer(listed([1, 0], [0, 0]))],
    ['no vector', answer([{ embedding: '' }, { embedding: '' }])],
    ['nothing', answer([null, 7])],
    ['half a number', answer([{ embedding: 'AAAA' }, { embedding: 'AAAA' }])],
    ['more numbers than any model', answer(listed(Array(20_000).fill(1), Array(20_000).fill(1)))],
  ])('are refused for %s', async (_title, json) => {
    await expect(vectorsIn(json, 2)).rejects.toThrow(UnusableVectors);
  });
});

describe('a stored vector', () => {
  const unit = (seed: number, size = 1_024): Float32Array => {
    const numbers = Float32Array.from({ length: size }, (_, at) => Math.sin(seed * 7.1 + at * (seed + 1.3)));
    const length = Math.hypot(...numbers);
    return numbers.map((number) => number / length);
  };

  it('gives nearly the cosine', () => {
    const cosine = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, number, at) => sum + number * b[at]!, 0);
    for (let at = 0; at < 20; at += 1) {
      const [a, b] = [unit(at), unit(at * 1.001)];
      expect(similarity(a, storedVector(b))).toBeCloseTo(cosine(a, b), 2);
      expect(similarity(a, storedVector(a))).toBeCloseTo(1, 3);
    }
  });

  it('has a bit for each number and a byte for each', () => {
    const { bits, numbers } = storedVector(Float32Array.from([0.6, -0.8, 0]));
    expect(bits).toBe('100');
    expect([...numbers].map((byte) => (byte > 127 ? byte - 256 : byte))).toEqual([95, -127, 0]);
    expect(bitsOf(Float32Array.from([-1, 1]))).toBe('01');
  });
});
