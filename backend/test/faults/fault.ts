import type { Scene } from './scene.js';

/** One kind of fault: what is done, at a moment that the scene draws, and what has to come of it. */
export interface Fault {
  /** The number in the matrix, with a letter where one number has several kinds. */
  id: string;
  says: string;
  /** Hits nobody but those who are in its own scene, so that several run at once. */
  isLocal?: boolean;
  /** Where it happens: several nodes over Redis, or one process that owns its database. */
  on: ('many' | 'one')[];
  /** Only where a disk of a chosen size can be mounted. */
  needsSmallDisk?: boolean;
  run(scene: Scene): Promise<void>;
}
