/**
 * Median, 99th percentile and maximum of times in ms, as `0.2 / 1.4 / 1.6 s`; the numbers of a report.
 * Own code: `quantileSeq` of mathjs interpolates, and the histogram of Node rounds; these are measured times.
 */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return `${[at(0.5), at(0.99), at(1)].map((ms) => (ms / 1000).toFixed(1)).join(' / ')} s`;
}
