const LENGTH = { min: 10, max: 200 };

/** Bullets, numbers and quotation marks that models put around lines however much one asks them not to. */
const DECORATION = /^(?:[-*•]|\d+[.)])\s+|^["'“”*]+|["'“”*]+$/g;

/** The ideas in a model's answer, one a line; what is no idea (headings, introductions, a line cut short) is left out. */
export function starterLines(answer: string): string[] {
  const lines = answer
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length <= 2 * LENGTH.max)
    .map((line) => line.replace(DECORATION, '').replace(DECORATION, '').trim())
    .filter((line) => line.length >= LENGTH.min && line.length <= LENGTH.max && /[.?!]$/.test(line));
  return [...new Set(lines)];
}
