import { setImmediate } from 'node:timers/promises';

/** Time that one piece of work may keep the event loop, ms. Several run at once, and together they stay below 50 ms. */
const SLICE_MS = 5;

/** Characters of a text that are parsed, encoded or written in one piece: less than 1 ms. */
export const PIECE_CHARACTERS = 128 * 1024;

/** Cuts long work into slices, so that streams and other requests go on between them. */
export class Slices {
  private end = performance.now() + SLICE_MS;

  /** Call it between two small pieces of work: it lets others run when the slice is used up. */
  async pause(): Promise<void> {
    if (performance.now() < this.end) return;
    await setImmediate();
    this.end = performance.now() + SLICE_MS;
  }
}

/** Iterates over small pieces of work in slices. An item that is made on demand is made in the slice of its own work. */
export async function* inSlices<T>(items: Iterable<T>, slices = new Slices()): AsyncGenerator<T> {
  for (const item of items) {
    yield item;
    await slices.pause();
  }
}

/** Bytes that are written as base64 in one piece: whole groups of three. */
const PIECE_BYTES = 96 * 1024;

/** The base64 of bytes: that of 20 MB at once would hold the event loop for 80 ms. */
export function* toBase64Pieces(bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.toString('base64', at, at + PIECE_BYTES);
}

export function* textPieces(text: string, size = PIECE_CHARACTERS): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = start + size;
    // A piece that ended within a surrogate pair would be encoded as two broken characters.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}
