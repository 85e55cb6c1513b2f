import type { Scenario } from './scenario.js';

/** Two nodes over Redis, one process that owns its database, or nodes behind nginx over a cluster and a standby. */
export type HarnessName = 'many' | 'one' | 'fleet';

/** One kind of fault: its injection at a random moment, and the expected outcome. */
export interface Fault {
  /** Number in the matrix of docs/faults.md, with a letter for variants. */
  id: string;
  description: string;
  /** Affects the users of its own scenario alone, so that several run concurrently. */
  isLocal?: boolean;

  on: HarnessName[];
  /** Requires a mount of a disk of a chosen size. */
  needsSmallDisk?: boolean;
  run(scenario: Scenario): Promise<void>;
}
