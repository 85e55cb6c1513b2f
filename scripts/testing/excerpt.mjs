import { stripVTControlCharacters } from 'node:util';

/** Characters of an error in the last lines of a run: of a long output often only these are kept. */
const LONGEST = 600;

/** The beginning of an error without its stack, indented below a name; empty without an error. */
export function excerptOf(message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  const text = lines.map((line) => `\n    ${line}`).join('');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}
