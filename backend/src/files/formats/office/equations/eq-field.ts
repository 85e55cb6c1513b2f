import { isSymbolFont, symbolOf } from '../../text/symbol-fonts.js';

/** A fraction: `\f(1,2)`. */
const FRACTION = /\\f\s*\(([^(),;\\]*)[,;]([^(),;\\]*)\)/gi;

/** Switches with what they take: `\* "Font:Arial"`, `\s\up 9`, `\al`. */
const SWITCH = /\\\*\s*(?:"[^"]*"|\S+)|\\[a-z]+(?:\s*-?\d+)?/gi;

/** Buttons of templates show what stands behind the name of their macro: `MACROBUTTON NoMacro [Your name]`. */
const BUTTON = /^(?:MACRO|GOTO)BUTTON\s+\S+\s+(\S.*)$/is;

/** A character by its number: `SYMBOL 252 \f Wingdings`, `SYMBOL 8364 \u`. */
const SYMBOL = /^SYMBOL\s+(0x[\da-f]+|\d+)\b(.*)$/is;
const FONT = /\\f\s*"?([\w ]+)/i;

/** Instructions are short; long ones are no equations. */
const MAX_INSTRUCTION = 2_000;

/**
 * The letters that a field draws which has no result: of an equation its fractions, roots, and the readings above Japanese
 * words; buttons and symbols.
 * @param instruction such as `EQ \o\ad(\s\up 9(とうきょう),東京)`
 * @returns '' for other fields
 */
export function drawnByField(instruction: string): string {
  const whole = instruction.trim();
  if (whole.length > MAX_INSTRUCTION) return '';
  const symbol = SYMBOL.exec(whole);
  if (symbol !== null) return symbolIn(Number(symbol[1]), symbol[2]!);
  if (!/^EQ\s/i.test(whole)) return BUTTON.exec(whole)?.[1] ?? '';
  return whole
    .slice('EQ'.length)
    .replace(FRACTION, '$1/$2')
    .replace(SWITCH, ' ')
    .replace(/[(),;\s]+/g, ' ')
    .trim();
}

/** Numbers of letters in Unicode. */
const MAX_CODE_POINT = 0x10ffff;

function symbolIn(number: number, switches: string): string {
  const font = FONT.exec(switches)?.[1]?.trim() ?? '';
  if (isSymbolFont(font)) return symbolOf(font, number & 0xff);
  if (number === 0 || number > MAX_CODE_POINT) return '';
  return /\\u/i.test(switches) || number > 0xff
    ? String.fromCodePoint(number).toWellFormed()
    : new TextDecoder('windows-1252').decode(Uint8Array.of(number));
}
