/** Levels of nesting of a JSON value, counted up to one more than `most`. */
export function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (most === 0) return 1;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, most - 1)), 0);
}
