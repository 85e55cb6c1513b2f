import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { inSlices, PIECE_CHARACTERS } from './slices.js';

/**
 * Decodes UTF-8 in slices: 29 MB of Thai would hold the event loop for 0.15 s. Bytes that are no UTF-8 become U+FFFD, as they
 * do in one piece.
 */
export async function decodedText(bytes: Buffer): Promise<string> {
  if (bytes.length <= PIECE_CHARACTERS) return bytes.toString('utf8');
  if (isAscii(bytes)) return bytes.toString('latin1');
  const decoder = new StringDecoder('utf8');
  const pieces: string[] = [];
  for await (const piece of inSlices(bytePieces(bytes))) pieces.push(decoder.write(piece));
  pieces.push(decoder.end());
  return pieces.join('');
}

function* bytePieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_CHARACTERS) yield bytes.subarray(at, at + PIECE_CHARACTERS);
}
