import { AppError } from '../errors/app-error.js';

interface QueueBounds {
  /** Tasks that run at once. */
  concurrency: number;
  waiting: number;
  /** Of them, tasks of one alone: nobody fills the queue for the others. */
  waitingOfOne: number;
}

/**
 * Returns a function that runs a few tasks at once. Those who wait take turns, each with one task, so that somebody with
 * many tasks does not hold up the others. A task whose signal aborts while it waits leaves at once.
 * @returns rejects with AppError `server_busy` when the queue is full, or with the reason of the signal; the task is not
 * started then
 */
export function fairQueue({
  concurrency,
  waiting,
  waitingOfOne,
}: QueueBounds): <T>(who: number, task: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  const lines = new Map<number, (() => void)[]>();
  let running = 0;
  let queued = 0;

  const enter = (who: number, signal: AbortSignal | undefined): Promise<void> => {
    const line = lines.get(who) ?? [];
    if (queued >= waiting || line.length >= waitingOfOne) throw new AppError('server_busy');
    queued += 1;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const rest = lines.get(who)!.filter((one) => one !== start);
        if (rest.length > 0) lines.set(who, rest);
        else lines.delete(who);
        queued -= 1;
        reject(signal!.reason as Error);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      lines.set(who, [...line, start]);
    });
  };

  /** Hands the place of a task that has ended to the next one. */
  const leave = (): void => {
    const [first] = lines;
    if (first === undefined) {
      running -= 1;
      return;
    }
    const [who, [start, ...rest]] = first;
    queued -= 1;
    lines.delete(who);
    if (rest.length > 0) lines.set(who, rest);
    start!();
  };

  return async (who, task, signal) => {
    signal?.throwIfAborted();
    if (running < concurrency) running += 1;
    else await enter(who, signal);
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
