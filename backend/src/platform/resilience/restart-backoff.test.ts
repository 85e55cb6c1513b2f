import { RestartBackoff } from './restart-backoff.js';

const SHORT = 100;
const LONG = 60_000;

describe('RestartBackoff', () => {
  it('doubles from 1 s to 30 s while runs are short', () => {
    const backoff = new RestartBackoff();
    const delays = Array.from({ length: 7 }, () => backoff.delayAfter(SHORT));
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('starts again at 1 s after a long run', () => {
    const backoff = new RestartBackoff();
    for (let run = 0; run < 5; run += 1) backoff.delayAfter(SHORT);
    expect(backoff.delayAfter(LONG)).toBe(1_000);
    expect(backoff.delayAfter(SHORT)).toBe(2_000);
  });
});
