import { withoutReload } from '../browser/reload-once';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * Loads code, and after a failure again with an exponential backoff, or when the network is back, until it succeeds.
 * Own code: TanStack Query waits for its whole delay, also when the network is back before.
 * @param onFailure called after each failure
 */
export async function loadWithBackoff<T>(load: () => Promise<T>, onFailure: () => void): Promise<T> {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    try {
      return await (delay === FIRST_DELAY_MS ? load() : withoutReload(load));
    } catch {
      onFailure();
      await delayOrNetwork(delay);
    }
  }
}

/** Waits for the delay or until the network is back. */
function delayOrNetwork(delay: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, delay);
    window.addEventListener('online', end);
  });
}
