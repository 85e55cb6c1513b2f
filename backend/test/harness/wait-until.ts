import { setTimeout as sleep } from 'node:timers/promises';

/** Upper bound of every wait in a test, ms: far above what a loaded machine needs, and below the timeout of a test. */
export const WAIT_TIMEOUT_MS = 30_000;

/** Timeout of a test that starts several processes one after another, ms. */
export const PROCESSES_TIMEOUT_MS = 180_000;

const POLL_INTERVAL_MS = 20;

/**
 * Polls until the condition holds.
 * @param progress a number that grows while much work is done: each change of it starts the time anew
 * @throws an error that names `what` after WAIT_TIMEOUT_MS
 */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  progress: () => number = () => 0,
): Promise<void> {
  let seen = progress();
  for (let deadline = Date.now() + WAIT_TIMEOUT_MS; !(await condition()); await sleep(POLL_INTERVAL_MS)) {
    if (progress() !== seen) deadline = Date.now() + WAIT_TIMEOUT_MS;
    else if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    seen = progress();
  }
}

/** Repeats an assertion until it passes. @throws the last failure after WAIT_TIMEOUT_MS */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + WAIT_TIMEOUT_MS; ; await sleep(POLL_INTERVAL_MS)) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
