import { availableParallelism, loadavg } from 'node:os';
import type { Timings } from '../../src/config/timings.js';

/** Timings of the servers in a run, and the factor of the harness's own bounds. */
export interface Pace {
  timings: Partial<Timings>;
  /** Factor from the shortest timings to these. */
  stretch: number;
}

/** About fifteen times shorter than in production, in the same order. */
const SHORT = {
  nodeBeat: 300,
  nodeDead: 2_000,
  nodeSweep: 600,
  checkpoint: 150,
  logFlush: 40,
  shutdownGrace: 1_500,
  firstToken: 3_000,
  idle: 2_000,
  connect: 1_000,
  settleRetry: 10_000,
  remoteStop: 500,
  threadTrash: 2_000,
  threadSweep: 600,
} satisfies Partial<Timings>;

/** Factor for concurrent rounds, where a process may wait for a core longer than the shortest timeouts. */
const CROWDED_STRETCH = 3;

const CROWDED: Partial<Timings> = {
  ...Object.fromEntries(Object.entries(SHORT).map(([name, ms]) => [name, ms * CROWDED_STRETCH])),
  firstToken: 20_000,
  idle: 15_000,
};

export const PACES = {
  short: { timings: SHORT, stretch: 1 },
  crowded: { timings: CROWDED, stretch: CROWDED_STRETCH },
  true: { timings: {}, stretch: 6 },
} satisfies Record<string, Pace>;

/**
 * Scales a bound by the load of the machine: where several processes wait for each core, every bound is multiplied by
 * their number.
 */
export function onThisMachine(ms: number): number {
  return Math.round(ms * Math.max(1, loadavg()[0]! / availableParallelism()));
}
