import pLimit from 'p-limit';
import { AppError } from '../errors/app-error.js';

interface QueueBounds {
  /** Tasks that run at once. */
  concurrency: number;
  waiting: number;
}

/**
 * Returns a function that runs tasks in the order of its calls. Without the bound of waiting tasks a flood of cheap
 * requests for an expensive task would hold memory and delay all calls behind it.
 * @returns rejects with AppError `server_busy` when the queue is full; the task is not started
 */
export function boundedQueue({ concurrency, waiting }: QueueBounds): <T>(task: () => Promise<T>) => Promise<T> {
  const limit = pLimit(concurrency);
  return async (task) => {
    if (limit.activeCount + limit.pendingCount >= concurrency + waiting) throw new AppError('server_busy');
    return limit(task);
  };
}
