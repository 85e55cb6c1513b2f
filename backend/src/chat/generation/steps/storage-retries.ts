import { toAppError } from '../../../platform/errors/error-body.js';
import { createBackoff } from '../run/backoff.js';
import type { GenerationRun } from '../run/generation-run.js';

/**
 * Repeats work of a run with backoff while Postgres is unavailable.
 * @param timeoutMs no attempt begins later
 * @throws the abort reason of the run, or the error of the last attempt
 */
export async function withStorageRetries<T>(
  { controller: { signal } }: GenerationRun,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (const wait = createBackoff(); ; await wait()) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (toAppError(error).code !== 'storage_unavailable' || Date.now() > deadline) throw error;
    }
  }
}
