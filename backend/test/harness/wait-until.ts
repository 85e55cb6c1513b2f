import { setTimeout as sleep } from 'node:timers/promises';

/** Upper bound of every wait in a test, ms: far above what a loaded machine needs, and below the timeout of a test. */
export const WAIT_TIMEOUT_MS = 30_000;

/** Timeout of a test that starts several processes one after another, ms. */
export const PROCESSES_TIMEOUT_MS = 180_000;

const POLL_INTERVAL_MS = 20;

/** Polls of a long wait would take the time of the work that it waits for. */
const pollInterval = (waitedMs: number) => Math.min(200, Math.max(POLL_INTERVAL_MS, waitedMs / 10));

/**
 * Polls until the condition holds.
 * @param progress a number that grows while much work is done: each change of it starts the time anew
 * @throws an error that names `what` after WAIT_TIMEOUT_MS
 */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  progress: () => number | Promise<number> = () => 0,
): Promise<void> {
  const begun = Date.now();
  let seen = await progress();
  for (let seenAt = begun; !(await condition()); await sleep(pollInterval(Date.now() - begun))) {
    const now = await progress();
    if (now !== seen) seenAt = Date.now();
    else if (Date.now() - seenAt > WAIT_TIMEOUT_MS) throw new Error(`timed out waiting for ${what}`);
    seen = now;
  }
}

/** Repeats an assertion until it passes. @throws the last failure after WAIT_TIMEOUT_MS */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
  for (const begun = Date.now(); ; await sleep(pollInterval(Date.now() - begun))) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() - begun > WAIT_TIMEOUT_MS) throw error;
    }
  }
}
