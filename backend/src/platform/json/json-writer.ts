import { turnsOf } from '../system/in-turns.js';
import { Slices } from '../system/slices.js';

/** A value that takes this many characters is written in one piece, less than 1 ms. */
const PIECE_CHARACTERS = 128 * 1024;

/** Characters of a number, a literal or the syntax around a value, roughly. */
const SMALL_VALUE = 8;

/** Whether a value fits into one piece. Stops counting at the bound. */
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
 * Writes a value of plain JSON as `JSON.stringify` does, which would hold the event loop for 0.1 s with 32 MB.
 * @param onPiece receives the text in its order
 */
export async function writeJson(value: unknown, slices: Slices, onPiece: (text: string) => void): Promise<void> {
  await slices.pause();
  if (fitsInPiece(value)) onPiece(JSON.stringify(value));
  else if (typeof value === 'string') await writeText(value, slices, onPiece);
  else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      onPiece(index === 0 ? '[' : ',');
      await writeJson(entry ?? null, slices, onPiece);
    }
    onPiece(']');
  } else {
    const fields = Object.entries(value as object).filter(([, field]) => field !== undefined);
    for (const [index, [name, field]] of fields.entries()) {
      onPiece(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
      await writeJson(field, slices, onPiece);
    }
    onPiece('}');
  }
}

async function writeText(text: string, slices: Slices, onPiece: (text: string) => void): Promise<void> {
  onPiece('"');
  for (const piece of turnsOf(text, PIECE_CHARACTERS)) {
    onPiece(JSON.stringify(piece).slice(1, -1));
    await slices.pause();
  }
  onPiece('"');
}

/** A value of plain JSON as pieces of UTF-8, written in slices, and their bytes in all. */
export async function jsonPieces(value: unknown): Promise<{ pieces: Buffer[]; bytes: number }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  await writeJson(value, new Slices(), (text) => {
    const piece = Buffer.from(text);
    pieces.push(piece);
    bytes += piece.length;
  });
  return { pieces, bytes };
}
