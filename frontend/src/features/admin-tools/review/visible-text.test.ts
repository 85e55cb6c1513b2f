import { visibleText } from './compare-texts';

test.each([
  ['Looks up a word.\n\tAt once.', 'Looks up a word.\n\tAt once.'],
  ['see \u202Etxt.exe', 'see [U+202E]txt.exe'],
  ['a\u200Bb\u0007', 'a[U+200B]b[U+0007]'],
  ['plain\u{E0049}\u{E0101}', 'plain[U+E0049][U+E0101]'],
  ['naïve 日本語 ✈️', 'naïve 日本語 ✈️'],
])('shows %j as %j (TOOL-5)', (text, shown) => expect(visibleText(text)).toBe(shown));
