/** Steps to a doubling: two values that fall together differ by less than 1.1 %. */
const STEPS = 64;

/** Counts durations in microseconds by size, so that millions of them cost no memory. */
export class Histogram {
  #counts = new Float64Array(40 * STEPS);
  #total = 0;
  #largest = 0;

  add(microseconds) {
    const value = Math.max(1, microseconds);
    this.#counts[Math.min(this.#counts.length - 1, Math.floor(Math.log2(value) * STEPS))] += 1;
    this.#total += 1;
    this.#largest = Math.max(this.#largest, value);
  }

  /** Milliseconds that this share of all values does not exceed. */
  quantile(share) {
    let left = Math.ceil(this.#total * share);
    for (let index = 0; index < this.#counts.length; index += 1) {
      left -= this.#counts[index];
      if (left <= 0 && this.#counts[index] > 0) return round(2 ** ((index + 0.5) / STEPS) / 1000);
    }
    return 0;
  }

  summary() {
    return {
      count: this.#total,
      p50: this.quantile(0.5),
      p95: this.quantile(0.95),
      p99: this.quantile(0.99),
      max: round(this.#largest / 1000),
    };
  }
}

const round = (value) => Math.round(value * 1000) / 1000;
