import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { RunServices } from './run-services.js';

/** Works on the rows of a run, and retries while Postgres is unavailable. @throws the abort reason of the run */
export const retryStorage = <T>(
  { controller: { signal } }: GenerationRun,
  { timings }: Pick<RunServices, 'timings'>,
  work: () => Promise<T>,
): Promise<T> => retryWhileStorageIsAway(work, { timeoutMs: timings.settleRetry, signal });

/**
 * Stores a change of a run.
 * @param write returns false when another node has ended the generation, which aborts the run
 * @throws the abort reason of the run
 */
export async function storeChange(
  run: GenerationRun,
  services: Pick<RunServices, 'timings'>,
  write: () => Promise<boolean>,
): Promise<void> {
  if (!(await retryStorage(run, services, write))) run.abort('fenced');
  run.controller.signal.throwIfAborted();
}
