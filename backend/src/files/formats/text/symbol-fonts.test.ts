import { symbolOf, withSymbols } from './symbol-fonts.js';

it.each([
  ['Symbol', 'a', 'α'],
  ['Symbol', 'W', 'Ω'],
  ['Symbol', 'm', 'μ'],
  ['Symbol', '~', '∼'],
  ['Symbol', '\u00a3', '≤'],
  ['Symbol', '\u00b0', '°'],
  ['Symbol', '\u00b1', '±'],
  ['Symbol', '\u00d6', '√'],
  ['Symbol', '\u00fe', '⎭'],
  ['', '\u00de', '⇒'],
  ['Wingdings', '\u00fe', '☑'],
  ['Wingdings', '\u00a8', '☐'],
  ['Wingdings', '\u0083', '③'],
  ['Wingdings 2', 'R', '☑'],
  ['Webdings', 'a', '✓'],
  ['Wingdings 3', 'a', '•'],
  ['Symbol', '\u0090', '•'],
  ['Symbol', '\u00f0', '•'],
])('shows a character of %s: %s as %s', (font, character, shown) => {
  expect(symbolOf(font, character.charCodeAt(0))).toBe(shown);
});

it('replaces characters of the private area alone', () => {
  expect(withSymbols('5 \uf06dm \u00b5 \ue000', 'Symbol')).toBe('5 μm \u00b5 \ue000');
});
