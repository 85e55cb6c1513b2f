/** A fraction: `\f(1,2)`. */
const FRACTION = /\\f\s*\(([^(),;\\]*)[,;]([^(),;\\]*)\)/gi;

/** Switches with what they take: `\* "Font:Arial"`, `\s\up 9`, `\al`. */
const SWITCH = /\\\*\s*(?:"[^"]*"|\S+)|\\[a-z]+(?:\s*-?\d+)?/gi;

/** Instructions are short; long ones are no equations. */
const MAX_INSTRUCTION = 2_000;

/**
 * The letters that a field of an equation draws, which has no result: fractions, roots, and the readings above Japanese
 * words.
 * @param instruction such as `EQ \o\ad(\s\up 9(とうきょう),東京)`
 * @returns '' for other fields
 */
export function drawnByField(instruction: string): string {
  const whole = instruction.trim();
  if (whole.length > MAX_INSTRUCTION || !/^EQ\s/i.test(whole)) return '';
  return whole
    .slice('EQ'.length)
    .replace(FRACTION, '$1/$2')
    .replace(SWITCH, ' ')
    .replace(/[(),;\s]+/g, ' ')
    .trim();
}
