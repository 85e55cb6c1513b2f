import { availableParallelism, loadavg } from 'node:os';
import { OPTIMIZES_LATE } from '../../../scripts/testing/short-lived.mjs';
import type { Timings } from '../../src/config/timings.js';

/** How servers run, and the factor of the harness's own bounds. */
export interface Pace {
  timings: Partial<Timings>;
  /** Flags of V8. */
  flags: string[];
  /** Factor from the shortest timings to these. */
  stretch: number;
}

/** About fifteen times shorter than in production, in the same order. */
const SHORT = {
  nodeBeat: 600,
  nodeDead: 2_000,
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
  retentionLook: 400,
  projectQueue: 300,
  projectLease: 1_500,
  siteCall: 4_000,
} satisfies Partial<Timings>;

/** Factor for concurrent rounds, where a process may wait for a core longer than the shortest timeouts. */
const CROWDED_STRETCH = 3;

const CROWDED: Partial<Timings> = {
  ...Object.fromEntries(Object.entries(SHORT).map(([name, ms]) => [name, ms * CROWDED_STRETCH])),
  firstToken: 20_000,
  idle: 15_000,
};

/** For `npm test`, where a slow machine must not exceed a timeout: no quick kind waits for a timeout of the provider. */
const QUICK: Partial<Timings> = {
  ...SHORT,
  nodeDead: 4_000,
  firstToken: 20_000,
  idle: 15_000,
  connect: 10_000,
  settleRetry: 30_000,
  remoteStop: 2_000,
};

export const PACES = {
  quick: { timings: QUICK, flags: OPTIMIZES_LATE, stretch: 1 },
  short: { timings: SHORT, flags: [], stretch: 1 },
  crowded: { timings: CROWDED, flags: [], stretch: CROWDED_STRETCH },
  true: { timings: {}, flags: [], stretch: 6 },
} satisfies Record<string, Pace>;

/** Lower limit of the bounds, ms. */
let leastBound = 0;

/** Sets a lower limit of the bounds of this process, for a run that verifies no speed. */
export function raiseBounds(ms: number): void {
  leastBound = ms;
}

/** Bound of a wait whose expiry is a violation, ms: scaled by the load of the machine, and at least the lower limit. */
export const boundOf = (ms: number): number => Math.max(leastBound, onThisMachine(ms));

/**
 * Scales a time by the load of the machine: where several processes wait for each core, it is multiplied by their
 * number.
 */
export function onThisMachine(ms: number): number {
  return Math.round(ms * Math.max(1, loadavg()[0]! / availableParallelism()));
}
