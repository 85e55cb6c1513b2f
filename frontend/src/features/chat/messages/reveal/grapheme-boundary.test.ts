import { jest } from '@jest/globals';
import { lastGraphemeBoundary } from './grapheme-boundary';

test.each([
  ['a surrogate pair', '😀'],
  ['a combining mark', 'e\u0301'],
  ['a family of emoji', '👩‍👩‍👧'],
  ['a skin tone', '👍🏽'],
  ['a flag', '🇮🇩'],
  ['a conjunct syllable', 'नि'],
])('does not split %s', (_, grapheme) => {
  const text = `ab${grapheme}cd`;
  for (let end = 3; end < 2 + grapheme.length; end += 1) expect(lastGraphemeBoundary(text, 0, end)).toBe(2);
  expect(lastGraphemeBoundary(text, 0, 2)).toBe(2);
  expect(lastGraphemeBoundary(text, 0, 2 + grapheme.length)).toBe(2 + grapheme.length);
});

test('never returns a position before the start', () => {
  const text = `${'\u0301'.repeat(10)}a`;
  expect(lastGraphemeBoundary(text, 4, 4)).toBe(4);
  expect(lastGraphemeBoundary(text, 4, 8)).toBe(4);
});

test('splits no surrogate pair in a browser without Intl.Segmenter', async () => {
  const { Segmenter } = Intl;
  try {
    Reflect.deleteProperty(Intl, 'Segmenter');
    jest.resetModules();
    const loaded = await import('./grapheme-boundary');
    expect(loaded.lastGraphemeBoundary('a😀b', 0, 2)).toBe(1);
    expect(loaded.lastGraphemeBoundary('a漢b', 0, 1)).toBe(1);
  } finally {
    Object.assign(Intl, { Segmenter });
  }
});
