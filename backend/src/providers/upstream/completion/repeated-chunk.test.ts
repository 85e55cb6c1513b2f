import { RepeatedChunk } from './repeated-chunk.js';

const chunk = (content: string, id = 'one') => JSON.stringify({ id, choices: [{ delta: { content }, index: 0 }] });
const read = (data: string): unknown =>
  (JSON.parse(data) as { choices: [{ delta: object }] }).choices[0].delta['content' as never];

function remembering(data: string, text: string): RepeatedChunk {
  const repeated = new RepeatedChunk();
  repeated.remember(data, text, read);
  return repeated;
}

describe('a chunk that repeats an earlier one', () => {
  it('gives its text', () => {
    const repeated = remembering(chunk('Hello'), 'Hello');
    expect(repeated.textOf(chunk(' wörld 🙏'))).toBe(' wörld 🙏');
    expect(repeated.textOf(chunk('x'))).toBe('x');
  });

  it.each([
    ['an escape', chunk('a\nb')],
    ['a quote', chunk('a"b')],
    ['an empty text', chunk('')],
    ['another field with another value', chunk('a', 'two')],
    ['a field more', chunk('a').replace('"index":0', '"index":0,"x":1')],
    ['a control character', chunk('a§b').replace('§', '\u0007')],
    ['a second line', chunk('a§b').replace('§', '\n')],
    ['a cut end', chunk('abc').slice(0, -1)],
  ])('has to be parsed with %s', (_name, data) => {
    expect(remembering(chunk('Hello'), 'Hello').textOf(data)).toBeNull();
  });

  it('has to be parsed if the text stands first in another field', () => {
    const data = '{"note":{"content":"a"},"choices":[{"delta":{"content" : "a"}}]}';
    expect(remembering(data, 'a').textOf(data)).toBeNull();
  });

  it('has to be parsed if the field is repeated', () => {
    const data = '{"choices":[{"delta":{"content":"a","content":"a"}}]}';
    expect(remembering(data, 'a').textOf(data)).toBeNull();
  });

  it('is no longer looked for after chunks that never repeat', () => {
    const repeated = new RepeatedChunk();
    let reads = 0;
    for (let number = 0; number < 50; number += 1) {
      const data = chunk('text', `id ${number}`);
      expect(repeated.textOf(data)).toBeNull();
      repeated.remember(data, 'text', (changed) => {
        reads += 1;
        return read(changed);
      });
    }
    expect(reads).toBe(8);
  });
});
