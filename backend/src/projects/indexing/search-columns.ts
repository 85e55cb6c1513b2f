import { inSlices } from '../../platform/system/slices.js';
import type { Chunk } from './chunks.js';
import { codesIn } from './codes.js';
import { isContents } from './contents.js';
import { indexedWords } from './search-words.js';

/** What a search finds chunks by: words and pieces as `indexedWords`, codes with blanks between them. */
export interface SearchColumns {
  words: string[];
  grams: string[];
  codes: string[];
  areContents: boolean[];
}

/** @param chunks of which each has its place: its file and its section */
export async function searchColumns(
  chunks: readonly (Pick<Chunk, 'header' | 'text'> & { place: string })[],
): Promise<SearchColumns> {
  const columns: SearchColumns = { words: [], grams: [], codes: [], areContents: [] };
  for await (const { place, header, text } of inSlices(chunks)) {
    const { words, grams } = indexedWords(`${place} ${header} ${text}`);
    columns.words.push(words);
    columns.grams.push(grams.join(' '));
    columns.codes.push(codesIn(`${header} ${text}`).join(' '));
    columns.areContents.push(isContents(text));
  }
  return columns;
}
