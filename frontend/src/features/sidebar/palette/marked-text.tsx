import { Mark } from '@chakra-ui/react';

/** Text in which the beginnings of words that were searched for are marked. */
export function MarkedText({ text, words }: { text: string; words: string }) {
  const pattern = wordPattern(words);
  if (!pattern) return text;
  // `split` puts the matches of the group at the odd positions.
  return text.split(pattern).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <Mark key={index} bg="jade.muted" color="jade.fg" fontWeight="semibold" borderRadius="2px">
        {piece}
      </Mark>
    ),
  );
}

/** The pattern of the words at the beginning of a word, in one group; null without words. */
export function wordPattern(words: string): RegExp | null {
  const wanted = words.match(/[\p{L}\p{N}_]+/gu);
  if (!wanted) return null;
  const longestFirst = [...new Set(wanted)].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}_])(${longestFirst.join('|')})`, 'giu');
}
