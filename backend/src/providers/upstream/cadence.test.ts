import { Cadence, type Load } from './cadence.js';

const SECOND = 1_000;
const READ_SECONDS = 80e-6;

/** The load of streams with 50 pieces a second each, beside `rest`: utilisation that pacing does not change. */
const loadOf = (streams: number, rest: number, period: number | null): Load => {
  const pieces = streams * 50;
  const reads = period === null ? pieces : Math.min(pieces, (streams * SECOND) / period);
  return { utilisation: Math.min(1, rest + reads * READ_SECONDS), reads, joined: pieces - reads };
};

/** Feeds one sample a second and returns the beats. */
function beats(cadence: Cadence, streams: number[], { start = 0, rest = 0.1 } = {}): (number | null)[] {
  return streams.map((count, index) => {
    cadence.update(loadOf(count, rest, cadence.period), start + index * SECOND);
    return cadence.period;
  });
}

const steady = (streams: number, samples = 60): number[] => Array<number>(samples).fill(streams);

it('reads without pacing under light load', () => {
  expect(new Set(beats(new Cadence(), steady(50)))).toEqual(new Set([null]));
});

it('enters one step per sample', () => {
  const cadence = new Cadence();
  const overload = { utilisation: 1, reads: 0, joined: 0 };
  const entered = [0, 1, 2, 3].map((second) => {
    cadence.update(overload, second * SECOND);
    return cadence.period;
  });
  expect(entered).toEqual([33, 50, 100, 100]);
});

it('leaves all steps of a short burst after five seconds', () => {
  const cadence = new Cadence();
  beats(cadence, steady(2000, 3));
  expect(cadence.period).toBe(100);
  expect(beats(cadence, steady(20, 6), { start: 10 * SECOND })).toEqual([100, 100, 100, 100, 100, null]);
});

it('stays unpaced beside work that is not streaming, once a burst is over', () => {
  const cadence = new Cadence();
  beats(cadence, steady(2000, 3));
  expect(beats(cadence, steady(20, 10), { start: 10 * SECOND, rest: 0.15 }).at(-1)).toBeNull();
});

it('does not oscillate under a constant load', () => {
  for (const streams of [70, 100, 150, 200, 300, 500, 1000])
    for (const rest of [0.02, 0.1, 0.2]) {
      const periods = beats(new Cadence(), steady(streams, 120), { rest });
      expect([streams, rest, new Set(periods.slice(20)).size]).toEqual([streams, rest, 1]);
    }
});

it('changes direction once while the load ramps up and down', () => {
  const up = Array.from({ length: 60 }, (_, index) => index * 10);
  const periods = beats(new Cadence(), [...up, ...up.toReversed(), ...steady(0, 30)]).map((beat) => beat ?? 0);
  const changes = periods.slice(1).map((period, index) => Math.sign(period - periods[index]!));
  const directions = changes.filter((change) => change !== 0);
  expect(directions).toEqual(directions.toSorted((a, b) => b - a));
  expect(periods.at(-1)).toBe(0);
  expect(Math.max(...periods)).toBe(100);
});

it('leaves a step only after five seconds of low load in succession', () => {
  const cadence = new Cadence();
  beats(cadence, steady(100, 1));
  expect(beats(cadence, [...steady(20, 4), 300, ...steady(20, 4)], { start: SECOND }).at(-1)).not.toBeNull();
  expect(beats(cadence, steady(20, 6), { start: 20 * SECOND }).at(-1)).toBeNull();
});
