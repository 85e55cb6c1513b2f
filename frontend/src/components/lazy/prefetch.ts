import { withoutReload } from '../../app/browser/reload-once';
import { idle } from '../../app/browser/when-idle';

let start: () => void;
/**
 * The last prefetch of the queue. A failed prefetch is ignored and does not reload the page: the click that needs the file loads
 * it again.
 */
let queue: Promise<unknown> = new Promise<void>((resolve) => (start = resolve));

const IDLE_TIMEOUT_MS = 60_000;

/** Queues a load for idle time, so that the file is also available without a connection. */
export function prefetch(load: () => Promise<unknown>): void {
  queue = queue
    .then(() => idle(IDLE_TIMEOUT_MS))
    .then(online)
    .then(() => withoutReload(load))
    .catch(() => undefined);
}

async function online(): Promise<void> {
  if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
}

/** Nothing of the first screen loads later than this on a usual network. */
const START_DELAY_MS = 3_000;

/**
 * Starts the queue when the first screen has loaded; the loads run one at a time. Does nothing when the browser saves data.
 * @returns a cancel function
 */
export function startPrefetching(delayMs = START_DELAY_MS): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => undefined;
  const timer = setTimeout(start, delayMs);
  return () => clearTimeout(timer);
}
