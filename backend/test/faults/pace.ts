import { availableParallelism, loadavg } from 'node:os';
import type { Timings } from '../../src/config/timings.js';

/** The server's waits in a run, and how long the harness may wait for what they lead to. */
export interface Pace {
  timings: Partial<Timings>;
  /** How many times a wait of the server is longer than the shortest ones. */
  stretch: number;
}

/** About fifteen times shorter than in production and in the same order. */
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
} satisfies Partial<Timings>;

/** For rounds side by side, in which a process may wait longer for its turn than a model may be silent at short waits. */
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
 * What may take so long on a machine of its own takes longer on one that others use too: where several processes wait for
 * each core, everything that must be over by a certain time gets as many times that time.
 */
export function onThisMachine(ms: number): number {
  return Math.round(ms * Math.max(1, loadavg()[0]! / availableParallelism()));
}
