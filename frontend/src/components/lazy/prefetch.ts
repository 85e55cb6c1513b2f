import { whenIdle } from '../../app/browser/when-idle';

let start: () => void;
/** The last prefetch of the queue. A failed prefetch is ignored: the click that needs the file loads it again. */
let queue: Promise<unknown> = new Promise<void>((resolve) => (start = resolve));

const IDLE_TIMEOUT_MS = 60_000;
const idle = () => new Promise<void>((resolve) => whenIdle(resolve, IDLE_TIMEOUT_MS));

/** Queues a load for idle time, so that the file is also available without a connection. */
export function prefetch(load: () => Promise<unknown>): void {
  queue = queue
    .then(idle)
    .then(load)
    .catch(() => undefined);
}

/** Starts the queue; the loads run one at a time. Does nothing when the browser saves data. */
export function startPrefetching(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!connection?.saveData) start();
}
