import { trimEndOf } from '@tanya/contract';
const LENGTH = { min: 10, max: 200 };

/** Bullets, numbers and quotation marks that models add to lines in spite of the prompt. */
const DECORATION = /^(?:(?:[-*•]|\d+[.)])\s+|["'“”*]+)/;
const QUOTATION_MARKS = `"'“”*`;

const undecorated = (line: string): string => trimEndOf(line.replace(DECORATION, ''), QUOTATION_MARKS);

/** Extracts the ideas from a model's answer, one per line. Headings, introductions and truncated lines are left out. */
export function starterLines(answer: string): string[] {
  const lines = answer
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length <= 2 * LENGTH.max)
    .map((line) => undecorated(undecorated(line)).trim())
    .filter((line) => line.length >= LENGTH.min && line.length <= LENGTH.max && /[.?!]$/.test(line));
  return [...new Set(lines)];
}
