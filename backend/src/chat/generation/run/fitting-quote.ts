import { indexedWords } from '../../../projects/indexing/search-words.js';

/** A passage up to this length is quoted whole, and a quote has at most so many characters. */
const MOST = 400;

/** Characters and sentences of a passage in which the quote is looked for. */
const MAX_TEXT = 50_000;
const MAX_SENTENCES = 2_000;

/** Sentences beside the best one belong to the quote if they fit this share of it. */
const NEARLY = 0.5;

/** A sentence, a row of a table, or the rest of a line. */
const SENTENCE_END = /(?<=[.!?]\s|[。！？\n])/;

/** Citations and marks behind a sentence. */
const BEHIND = /(?:\[\d{1,4}\]|[\s.,;:!?。，！？)*_]){1,100}$/u;

const ENDS = ['. ', '! ', '? ', '\n', '。'];

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

const wordsIn = (text: string): Set<string> => {
  const { words, grams } = indexedWords(text);
  return new Set([...(words.match(WORD) ?? []), ...grams]);
};

/** The sentence that a citation behind this text proves. */
export function claimBefore(text: string): string {
  const claim = text.replace(BEHIND, '');
  const starts = ENDS.map((end) => claim.lastIndexOf(end) + end.length).filter(
    (at, index) => at >= ENDS[index]!.length,
  );
  return claim.slice(Math.max(0, ...starts));
}

/**
 * The part of a passage that fits what an answer says best: the page that a citation opens may have much else. Its beginning
 * where no word fits, such as in another language.
 */
export function fittingQuote(passage: string, claim: string): string {
  if (passage.length <= MOST || claim === '') return passage;
  const wanted = wordsIn(claim);
  let end = 0;
  const sentences = passage
    .slice(0, MAX_TEXT)
    .split(SENTENCE_END, MAX_SENTENCES)
    .map((text) => ({ start: end, end: (end += text.length), words: wordsIn(text) }));
  const counts = new Map<string, number>();
  for (const { words } of sentences) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const fits = sentences.map(({ words }) => {
    let fit = 0;
    for (const word of words) if (wanted.has(word)) fit += 1 / counts.get(word)!;
    return fit;
  });
  const most = Math.max(0, ...fits);
  if (most === 0) return passage;
  let first = fits.indexOf(most);
  let last = first;
  const isWithin = (from: number, to: number): boolean => sentences[to]!.end - sentences[from]!.start <= MOST;
  while (last + 1 < fits.length && fits[last + 1]! >= most * NEARLY && isWithin(first, last + 1)) last += 1;
  while (first > 0 && fits[first - 1]! >= most * NEARLY && isWithin(first - 1, last)) first -= 1;
  return passage.slice(sentences[first]!.start, sentences[last]!.end).trim();
}
