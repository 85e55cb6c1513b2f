import { trimEndOf } from '@tanya/contract';

/** A longer address is not read by `read_page`. */
const MAX_ADDRESS = 2_048;

const ADDRESS = /https?:\/\/[^\s<>"'`\\]+/gi;

/** A sentence around an address ends it; an address may also end so, hence both forms count. */
const SENTENCE_END = '.,;:!?)]}';

/**
 * The addresses in texts, each once, in the order of the texts. Takes time linear in the texts.
 * @param limit number of addresses; later ones are left out
 */
export function writtenAddresses(texts: Iterable<string>, limit: number): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [address] of text.matchAll(ADDRESS)) {
      if (found.size >= limit) return [...found];
      if (address.length > MAX_ADDRESS) continue;
      found.add(address);
      found.add(trimEndOf(address, SENTENCE_END));
    }
  }
  return [...found];
}
