import { inSlices, PIECE_CHARACTERS, textPieces } from '../system/slices.js';

/** Characters of a number, a literal or the syntax around a value, roughly. */
const SMALL_VALUE = 8;

/** Time of a value beside that of its characters, as characters: writing one alone takes about 0.2 µs. */
const VALUE_COST = 32;

/** Characters that JSON escapes. A text without them is written as it is, without a copy. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** Whether a value is small enough for one piece. Stops counting at the bound. */
function fitsInPiece(value: unknown): boolean {
  let left = PIECE_CHARACTERS;
  const fits = (inner: unknown): boolean => {
    left -= typeof inner === 'string' ? inner.length : SMALL_VALUE;
    if (left < 0) return false;
    return typeof inner !== 'object' || inner === null || Object.values(inner).every(fits);
  };
  return fits(value);
}

/**
 * Writes a value of plain JSON as `JSON.stringify` does, piece by piece, as the pieces are asked for: in one piece it would
 * hold the event loop for 0.1 s with 32 MB, and all pieces together would take as much memory as the value.
 * @param textOf changes each text, as a whole or in pieces of well-formed code points
 */
export function* jsonPieces(value: unknown, textOf?: (text: string) => string): Generator<string> {
  let piece = '';
  let cost = 0;
  const replacer = textOf && ((_name: string, inner: unknown) => (typeof inner === 'string' ? textOf(inner) : inner));
  for (const text of smallTexts(value, replacer)) {
    // A large text stays a piece of its own: joined to another one it would be copied.
    const isLarge = text.length > PIECE_CHARACTERS / 2;
    if (piece !== '' && (isLarge || cost > PIECE_CHARACTERS)) {
      yield piece;
      piece = '';
      cost = 0;
    }
    if (isLarge) yield text;
    else piece += text;
    cost += VALUE_COST + text.length;
  }
  if (piece !== '') yield piece;
}

/** The JSON of a value, written in slices. @param textOf as of `jsonPieces` */
export async function jsonInSlices(value: unknown, textOf?: (text: string) => string): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of inSlices(jsonPieces(value, textOf))) pieces.push(piece);
  return pieces.join('');
}

type Replacer = (name: string, value: unknown) => unknown;

function* smallTexts(value: unknown, replacer?: Replacer): Generator<string> {
  if (fitsInPiece(value)) yield JSON.stringify(value, replacer);
  else if (typeof value === 'string') {
    yield '"';
    for (const piece of textPieces(value))
      yield replacer !== undefined || ESCAPED.test(piece) ? JSON.stringify(piece, replacer).slice(1, -1) : piece;
    yield '"';
  } else if (Array.isArray(value)) {
    let separator = '[';
    for (const entry of value as unknown[]) {
      yield separator;
      yield* smallTexts(entry ?? null, replacer);
      separator = ',';
    }
    yield ']';
  } else {
    let separator = '{';
    for (const [name, field] of Object.entries(value as object)) {
      if (field === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* smallTexts(field, replacer);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
}
