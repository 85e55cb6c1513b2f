/** The pattern of a search: ignores case, and a space matches any white space. Null for a blank search. */
export function searchPattern(words: string): RegExp | null {
  const wanted = words.trim();
  if (!wanted) return null;
  return new RegExp(escaped(wanted).replace(/\s+/g, '\\s+'), 'iu');
}

/** The pattern of each word at the beginning of words, as the search over all conversations finds them. */
export function anyWordPattern(words: string): RegExp {
  const wanted = words.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return wanted.length === 0
    ? /(?!)/u
    : new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])(?:${wanted.map(escaped).join('|')})`, 'iu');
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
