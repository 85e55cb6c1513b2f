import { topic } from '../../../platform/bus/bus.js';

/** How a generation ends before its answer is complete: by its user, or free of charge by a suspension. */
export type ForcedEnd = 'stopped' | 'interrupted';

/** Asks the node that runs a generation to end it. */
export const generationStop = topic<{ generationId: string; status: ForcedEnd }>('generation:stop');

/** Asks a node to flush the log of one of its runs; the node answers with `generation:flushed`. */
export const generationFlush = topic<{ generationId: string; nodeId: string; request: string }>('generation:flush');

/** Answer to `generation:flush` with the same request id. */
export const generationFlushed = topic<{ request: string }>('generation:flushed');
