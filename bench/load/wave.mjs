/**
 * A wave is a list of phases `{ seconds, to }`. The number of streams goes in a straight line from the end of one phase to
 * that of the next, beginning with `from`.
 */

/** Seconds that a wave takes. */
export const lengthOf = (phases) => phases.reduce((sum, { seconds }) => sum + seconds, 0);

/** The number of streams at a second of a wave. After its end that of the last phase. */
export function streamsAt(from, phases, second) {
  let start = 0;
  let streams = from;
  for (const { seconds, to } of phases) {
    if (second < start + seconds) return Math.round(streams + ((to - streams) * (second - start)) / seconds);
    start += seconds;
    streams = to;
  }
  return streams;
}

/**
 * Counts the turning points of a series: changes between rising and falling by at least `amplitude`. A series that rises
 * once and falls once has one; smaller movements are noise.
 */
export function turningPoints(values, amplitude) {
  let turns = 0;
  let direction = 0;
  let low = values[0];
  let high = values[0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    if (direction <= 0 && value - low >= amplitude) {
      turns += direction < 0 ? 1 : 0;
      direction = 1;
      high = value;
    } else if (direction >= 0 && high - value >= amplitude) {
      turns += direction > 0 ? 1 : 0;
      direction = -1;
      low = value;
    }
  }
  return turns;
}

/** The share of an interval in which an event loop was active, from its two readings `{ idle, active }`. */
export function utilisation(before, after) {
  const active = after.active - before.active;
  const idle = after.idle - before.idle;
  return active + idle === 0 ? 0 : active / (active + idle);
}
