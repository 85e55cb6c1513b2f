import { visibleText } from './compare-texts';

test.each([
  ['Looks up a word.\n\tAt once.', 'Looks up a word.\n\tAt once.'],
  ['see \u202Etxt.exe', 'see [U+202E]txt.exe'],
  ['a\u200Bb\u0007', 'a[U+200B]b[U+0007]'],
  ['plain\u{E0049}\u{E0101}', 'plain[U+E0049][U+E0101]'],
  ['a\uFE00b\uFE0Fc\uFE0E', 'a[U+FE00]b[U+FE0F]c[U+FE0E]'],
  ['a\u034F\u115F\u17B4\u180B\u180F\u3164\uFFA0', 'a[U+034F][U+115F][U+17B4][U+180B][U+180F][U+3164][U+FFA0]'],
  ['✈\uFE0F\uFE0F 1\uFE0F\u20E3', '✈\uFE0F[U+FE0F] 1\uFE0F\u20E3'],
  ['1\uFE0F2\uFE0E #\uFE0F', '1[U+FE0F]2[U+FE0E] #[U+FE0F]'],
  ['👍🏽\uFE0F *\uFE0F\u20E3', '👍🏽\uFE0F *\uFE0F\u20E3'],
  ['naïve 日本語 ✈️', 'naïve 日本語 ✈️'],
])('shows %j as %j (TOOL-5)', (text, shown) => expect(visibleText(text)).toBe(shown));
