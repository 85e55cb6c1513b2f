import { setTimeout as sleep } from 'node:timers/promises';
import { toAppError } from '../errors/error-body.js';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

/** For how long a node tries to read a change of its own before it answers. */
const READ_BACK_MS = 5_000;

/** Whether a failure says that Postgres is unavailable. */
export const isStorageAway = (error: unknown): boolean => toAppError(error).code === 'storage_unavailable';

export interface Retries {
  /** A failure later than this after the first one is the last. */
  timeoutMs: number;
  /** Ends the retries with its reason. */
  signal?: AbortSignal;
  /** Which failures are followed by another attempt: those of Postgres alone by default. */
  isRetried?: (error: unknown) => boolean;
  onRetry?: (error: unknown) => void;
}

/**
 * Repeats work while Postgres is unavailable: after 100 ms, then after twice as long each time, up to 5 s.
 * Own code: retry packages have no deadline that begins with the first failure.
 * @throws the error of the last attempt, or the reason of the signal
 */
export async function retryWhileStorageIsAway<T>(
  work: () => Promise<T>,
  { timeoutMs, signal, isRetried = isStorageAway, onRetry }: Retries,
): Promise<T> {
  let deadline: number | undefined;
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      deadline ??= Date.now() + timeoutMs;
      if (!isRetried(error) || Date.now() > deadline) throw error;
      onRetry?.(error);
    }
    await sleep(delay);
  }
}

/** Reads what a change has stored, for its answer: an error at once would say that it is not stored. */
export const readBack = <T>(read: () => Promise<T>): Promise<T> =>
  retryWhileStorageIsAway(read, { timeoutMs: READ_BACK_MS });
