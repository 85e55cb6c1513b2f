import { Cadence } from './cadence.js';

const SECOND = 1_000;

/** A load, and what is left of it while it is read on the beat. */
const utilisationOf = (load: number, period: number | null): number =>
  Math.min(1, period === null ? load : load * { 33: 0.45, 50: 0.33, 100: 0.22 }[period]!);

/** Feeds one sample a second and returns the beats. */
function beats(cadence: Cadence, loads: number[], start = 0): (number | null)[] {
  return loads.map((load, index) => {
    cadence.update(utilisationOf(load, cadence.period), start + index * SECOND);
    return cadence.period;
  });
}

it('reads without pacing under light load', () => {
  expect(new Set(beats(new Cadence(), Array<number>(60).fill(0.3)))).toEqual(new Set([null]));
});

it('enters the step of the load at once', () => {
  expect(beats(new Cadence(), [0.4])).toEqual([33]);
  expect(beats(new Cadence(), [0.7])).toEqual([50]);
  expect(beats(new Cadence(), [0.95])).toEqual([100]);
});

it('does not oscillate under a constant load', () => {
  for (const load of [0.36, 0.5, 0.8, 1, 1.5, 2.5]) {
    const periods = beats(new Cadence(), Array<number>(120).fill(load));
    expect(new Set(periods.slice(20)).size).toBe(1);
  }
});

it('changes direction once while the load ramps up and down', () => {
  const up = Array.from({ length: 60 }, (_, index) => (index * 3) / 60);
  const periods = beats(new Cadence(), [...up, ...up.toReversed(), ...Array<number>(30).fill(0)]).map(
    (beat) => beat ?? 0,
  );
  const changes = periods.slice(1).map((period, index) => Math.sign(period - periods[index]!));
  const directions = changes.filter((change) => change !== 0);
  expect(directions).toEqual(directions.toSorted((a, b) => b - a));
  expect(periods.at(-1)).toBe(0);
  expect(Math.max(...periods)).toBe(100);
});

it('leaves a step only after five seconds of low load', () => {
  const cadence = new Cadence();
  beats(cadence, [0.4]);
  expect(beats(cadence, [0.1, 0.1, 0.1, 0.5, 0.1, 0.1, 0.1, 0.1, 0.1], SECOND).at(-1)).toBe(33);
  expect(beats(cadence, [0.1], 10 * SECOND)).toEqual([null]);
});
