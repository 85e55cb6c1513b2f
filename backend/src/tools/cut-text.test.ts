import { cutResult, cutText, MAX_RESULT_BYTES } from './cut-text.js';

describe('cutText', () => {
  it('keeps a text of the maximum size', () => {
    const text = 'x'.repeat(MAX_RESULT_BYTES);
    expect(cutText(text)).toBe(text);
  });

  it.each(['x', 'é', '語', '😀'])('cuts a longer text of %s between two characters and marks the cut', (character) => {
    const cut = cutText(character.repeat(MAX_RESULT_BYTES + 1));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    const [kept, ...mark] = cut.split('\n');
    expect(new Set(kept)).toEqual(new Set([character]));
    expect(mark).toEqual(['', '[The result was cut here.]']);
  });

  it('says whether it cut, and marks the beginning of a longer text within the size', () => {
    expect(cutResult('abc', 100)).toEqual({ text: 'abc', isCut: false });
    expect(cutResult('abc', 100, true)).toEqual({ text: 'abc\n\n[The result was cut here.]', isCut: true });
    const cut = cutResult('x'.repeat(100), 100, true);
    expect([Buffer.byteLength(cut.text), cut.isCut]).toEqual([100, true]);
  });

  it('removes NUL and lone surrogates', () => {
    expect(cutText('a\0b\ud800c')).toBe('ab\ufffdc');
  });
});
