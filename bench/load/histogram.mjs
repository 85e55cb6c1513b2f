import { createHistogram } from 'node:perf_hooks';

/** Upper bound of a recorded duration, µs. */
const LONGEST = 3_600_000_000;

/** HDR histogram of durations in µs with three significant figures; summaries are in ms. */
export class Histogram {
  #histogram = createHistogram({ lowest: 1, highest: LONGEST, figures: 3 });

  add(microseconds) {
    this.#histogram.record(Math.min(LONGEST, Math.max(1, Math.round(microseconds))));
  }

  /** The duration that this share of all durations does not exceed, ms; 0 without any. */
  quantile(share) {
    return this.#histogram.percentile(share * 100) / 1000;
  }

  summary() {
    return {
      count: this.#histogram.count,
      p50: this.quantile(0.5),
      p95: this.quantile(0.95),
      p99: this.quantile(0.99),
      max: this.#histogram.max / 1000,
    };
  }
}
