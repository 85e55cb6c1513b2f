import { setTimeout as sleep } from 'node:timers/promises';
import { toAppError } from '../errors/error-body.js';
import type { Logger } from '../observability/logging.js';

/** Pause between two attempts, ms. */
const PAUSE_MS = 500;

export interface RetryOptions {
  timeoutMs: number;
  signal?: AbortSignal;
  logger: Logger;
}

/**
 * Opens a connection and retries while the server is unreachable. An error of the server itself, such as a wrong
 * password, ends the retries. Own code: a package would still need the rules for errors, the deadline and the log.
 * @param what name and address of the server, for the log and the error
 * @throws Error that names the server after `timeoutMs`
 */
export async function connectWithRetry<T>(what: string, open: () => Promise<T>, retry: RetryOptions): Promise<T> {
  const { timeoutMs, signal, logger } = retry;
  const deadline = performance.now() + timeoutMs;
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await open();
    } catch (error) {
      if (toAppError(error).code !== 'storage_unavailable') throw error;
      const reason = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error);
      if (performance.now() + PAUSE_MS > deadline) {
        throw new Error(`${what} did not answer within ${timeoutMs / 1000} s: ${reason}`, { cause: error });
      }
      if (attempts === 0) logger.warn({ err: error }, `${what} unreachable; retrying`);
      await sleep(PAUSE_MS);
      signal?.throwIfAborted();
    }
  }
}
