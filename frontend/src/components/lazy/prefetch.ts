import { whenIdle } from '../../app/browser/when-idle';

let start: () => void;
/** Those before it are fetched, as far as they could be: a click fetches what failed here. */
let last: Promise<unknown> = new Promise<void>((resolve) => (start = resolve));

/** Nobody waits for them: however long it takes until the browser has nothing else to do. */
const idle = () => new Promise<void>((resolve) => whenIdle(resolve, 60_000));

/** Fetches something that may be wanted, so that it is there without a connection too. */
export function fetchAhead(fetchIt: () => Promise<unknown>): void {
  last = last
    .then(idle)
    .then(fetchIt)
    .catch(() => undefined);
}

/** To be called when the page can be used: what may be wanted is fetched in idle moments, one after the other. */
export function startFetchingAhead(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!connection?.saveData) start();
}
