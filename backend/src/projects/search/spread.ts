/** Hits of one file among the first. */
export const HITS_OF_FILE = 3;

/** The first of a list, at most three of a file unless the other files have too few. */
export function spread<T extends { fileId: string }>(found: readonly T[], most: number): T[] {
  const counts = new Map<string, number>();
  const first: T[] = [];
  const rest: T[] = [];
  for (const hit of found) {
    const count = (counts.get(hit.fileId) ?? 0) + 1;
    counts.set(hit.fileId, count);
    (count <= HITS_OF_FILE ? first : rest).push(hit);
  }
  return [...first, ...rest].slice(0, most);
}
