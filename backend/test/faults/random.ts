/** The seed of tests with random input. `SEED=7 node scripts/test.mjs …` gives them other numbers. */
export const SEED = Number(process.env.SEED ?? 1);

/** Seeded pseudo-random numbers, so that a run is reproducible. */
export class Random {
  private state: number;

  constructor(...seeds: (number | string)[]) {
    this.state = hash(seeds.join('/'));
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer in [low, high]. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)]!;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  return value >>> 0;
}
