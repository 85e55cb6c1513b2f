import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

/**
 * Own code: retry packages repeat one attempt, while the callers check deadlines and shutdown and change the result.
 * @returns a function that waits 100 ms at its first call and twice as long at each further call, up to 5 s
 */
export function createBackoff(): () => Promise<void> {
  let delay = FIRST_DELAY_MS;
  return async () => {
    await sleep(delay);
    delay = Math.min(delay * 2, MAX_DELAY_MS);
  };
}
