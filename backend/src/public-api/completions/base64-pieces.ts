import { textPieces } from '../../platform/system/slices.js';

const LINE_ENDS = /[\r\n]+[ \t]*/g;
const ENDS_LINE = /[\r\n][ \t]*$/;
const INDENTATION = /^[ \t]+/;

/**
 * Pieces of a text that is base64, without the line ends that the command `base64`, Python and mail programs write, and without
 * the blanks behind them.
 */
export function* base64Pieces(text: string): Generator<string> {
  let isLineStart = false;
  for (const piece of textPieces(text)) {
    const rest: string = isLineStart ? piece.replace(INDENTATION, '') : piece;
    isLineStart = rest === '' || ENDS_LINE.test(rest);
    yield rest.replace(LINE_ENDS, '');
  }
}
