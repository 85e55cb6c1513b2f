const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * Loads code, and after a failure again with an exponential backoff, or when the network is back, until it succeeds.
 * @param onFailure called after each failure
 */
export async function loadWithBackoff<T>(load: () => Promise<T>, onFailure: () => void): Promise<T> {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    try {
      return await load();
    } catch {
      onFailure();
      await new Promise((resolve) => {
        setTimeout(resolve, delay);
        window.addEventListener('online', resolve, { once: true });
      });
    }
  }
}
