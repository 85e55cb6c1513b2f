/** Monotonic clock of the machine, µs; comparable between processes. */
export const now = () => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000_000 + Math.floor(nanoseconds / 1000);
};

const MARK = 124; // '|'
const DIGITS = 13;

/** One token of text with its time of writing: `|`, thirteen digits, a space. */
export const stamp = () => `|${String(now()).padStart(DIGITS, '0')} `;

export const STAMP_LENGTH = DIGITS + 2;

/** Calls `found` with the time of every whole stamp between two positions of a buffer. @returns their number */
export function eachStamp(buffer, from, to, found) {
  let count = 0;
  for (let at = buffer.indexOf(MARK, from); at >= 0 && at + DIGITS < to; at = buffer.indexOf(MARK, at + 1)) {
    let time = 0;
    let digit = at + 1;
    for (; digit <= at + DIGITS; digit += 1) {
      const value = buffer[digit] - 48;
      if (value < 0 || value > 9) break;
      time = time * 10 + value;
    }
    if (digit <= at + DIGITS) continue;
    found(time);
    count += 1;
    at += DIGITS;
  }
  return count;
}
