import { setTimeout as sleep } from 'node:timers/promises';
import { toAppError } from '../errors/error-body.js';
import type { Logger } from '../observability/logging.js';

/** Between two tries, ms. */
const PAUSE = 500;

/** How long something that starts together with us is waited for. */
export interface RetryOptions {
  milliseconds: number;
  /** Ends the waiting, as when we are stopped meanwhile. */
  signal?: AbortSignal;
  logger: Logger;
}

/**
 * Opens a connection that the start needs, and tries again while nobody answers there; whoever answers and refuses is
 * not asked again.
 * @param what its name and address, for the log and for whoever reads why the start failed
 */
export async function connectWithRetry<T>(what: string, open: () => Promise<T>, retry: RetryOptions): Promise<T> {
  const { milliseconds, signal, logger } = retry;
  const deadline = performance.now() + milliseconds;
  for (let tries = 0; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (toAppError(error).code !== 'storage_unavailable') throw error;
      const reason = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error);
      if (performance.now() + PAUSE > deadline) {
        throw new Error(`${what} did not answer within ${milliseconds / 1000} s: ${reason}`, { cause: error });
      }
      if (tries === 0) logger.warn({ err: error }, `waiting for ${what}`);
      await sleep(PAUSE);
      signal?.throwIfAborted();
    }
  }
}

/** Where a connection leads, without what opens it. */
export const addressIn = (url: string): string => new URL(url).host;
