/** The pattern of a search: ignores case, and a space matches any white space. Null for a blank search. */
export function searchPattern(words: string, flags = 'iu'): RegExp | null {
  const wanted = words.trim();
  if (!wanted) return null;
  return new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'), flags);
}
