import type { Scenario } from './scenario.js';

/** Two nodes over Redis, one process that owns its database, or three nodes behind nginx. */
export type HarnessName = 'many' | 'one' | 'fleet';

/** One kind of fault: what is done, at a moment that the scenario draws, and what has to come of it. */
export interface Fault {
  /** The number in the matrix, with a letter where one number has several kinds. */
  id: string;
  says: string;
  /** Hits nobody but those who are in its own scenario, so that several run at once. */
  isLocal?: boolean;

  on: HarnessName[];
  /** Only where a disk of a chosen size can be mounted. */
  needsSmallDisk?: boolean;
  run(scenario: Scenario): Promise<void>;
}
