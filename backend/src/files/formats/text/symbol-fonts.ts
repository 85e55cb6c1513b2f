/** Characters of the font Symbol from 0x20 on; a blank for those that it does not have. */
const SYMBOL = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';

/** The same from 0xa0 on. */
const SYMBOL_HIGH = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

const LOW = 0x20;
const HIGH = 0xa0;

/** Characters of fonts of pictures that say something: marks of forms, arrows, numbers. */
const PICTURES: Record<string, Record<number, string>> = {
  wingdings: {
    0x4a: '☺',
    0x4c: '☹',
    0x6e: '■',
    0x6f: '☐',
    0x71: '☐',
    0x72: '☐',
    0x78: '☒',
    ...numbers(0x80, '⓪①②③④⑤⑥⑦⑧⑨⑩'),
    ...numbers(0x8b, '⓿❶❷❸❹❺❻❼❽❾❿'),
    0xa8: '☐',
    0xab: '★',
    0xdf: '←',
    0xe0: '→',
    0xe1: '↑',
    0xe2: '↓',
    0xe8: '➔',
    0xef: '⇦',
    0xf0: '⇨',
    0xfb: '✗',
    0xfc: '✓',
    0xfd: '☒',
    0xfe: '☑',
  },
  'wingdings 2': { 0x4f: '✗', 0x50: '✓', 0x51: '☒', 0x52: '☑', 0x53: '☒', 0x54: '☒', 0xa3: '☐' },
  webdings: { 0x61: '✓', 0x63: '☐', 0x67: '■', 0x72: '✗' },
};

function numbers(first: number, characters: string): Record<number, string> {
  return Object.fromEntries([...characters].map((character, index) => [first + index, character]));
}

/** What stands for a character of which nobody knows the look. */
const UNKNOWN = '•';

/** A character of a symbol font by its number in the font. @param font '' for an unknown one, which mostly is Symbol */
export function symbolOf(font: string, number: number): string {
  const name = font.toLowerCase();
  if (name in PICTURES) return PICTURES[name]![number] ?? UNKNOWN;
  if (name !== '' && !name.startsWith('symbol')) return UNKNOWN;
  const found = number < HIGH ? SYMBOL[number - LOW] : SYMBOL_HIGH[number - HIGH];
  return found === undefined || (found === ' ' && number !== LOW) ? UNKNOWN : found;
}

export const isSymbolFont = (font: string): boolean => /^(?:symbol|webdings|wingdings)/i.test(font);

/** Where Windows places the characters of symbol fonts: in the private area of Unicode. */
export const PRIVATE = /[\uf020-\uf0ff]/g;

/** A text whose characters of symbol fonts are those that they show. @param font of the text, '' for an unknown one */
export const withSymbols = (text: string, font: string): string =>
  text.replace(PRIVATE, (character) => symbolOf(font, character.charCodeAt(0) & 0xff));
