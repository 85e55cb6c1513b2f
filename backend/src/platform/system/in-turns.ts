import { setImmediate } from 'node:timers/promises';

/** Characters that one turn of the event loop handles: parsing or encoding them takes about 10 ms. */
export const TURN_CHARACTERS = 1_000_000;

/**
 * Iterates over texts and lets other work run in between.
 * @param charactersOf the length of an item; a longer one than `TURN_CHARACTERS` gets a turn of its own
 */
export async function* inTurns<T>(items: Iterable<T>, charactersOf: (item: T) => number): AsyncGenerator<T> {
  let left = TURN_CHARACTERS;
  for (const item of items) {
    if (left <= 0) {
      await setImmediate();
      left = TURN_CHARACTERS;
    }
    left -= charactersOf(item);
    yield item;
  }
}

/** Cuts a text into pieces of a size, between characters. */
export function* turnsOf(text: string, size = TURN_CHARACTERS): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = start + size;
    // A piece that ended within a surrogate pair would be encoded as two broken characters.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}
