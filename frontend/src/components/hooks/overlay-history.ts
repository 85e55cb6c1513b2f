import { PHONE } from '../../app/browser/media-queries';

/**
 * History entries of open overlays. On phones each overlay adds an entry for the same address, so that Back closes the
 * overlay and stays on the page. An entry carries the number of overlays that were open in it.
 */

interface EntryState {
  overlays?: number;
  /** The router's position of the entry. */
  __TSR_index?: number;
}

type Close = () => void;
const open: Close[] = [];
/** True between `history.go` and its event: the entry is then not the current one. */
let isMoving = false;

function entry(): EntryState {
  return (window.history.state ?? {}) as EntryState;
}

const depth = () => entry().overlays ?? 0;

/** Registers an open overlay; returns a function to call when it has been closed. */
export function openOverlay(close: Close): () => void {
  open.push(close);
  addEntries();
  return () => {
    const index = open.indexOf(close);
    if (index >= 0) open.splice(index, 1);
    // Later, because a dialog that replaces this overlay reuses its entry.
    setTimeout(dropEntries);
  };
}

/** Adds the entries of open overlays that have none, as after Back on an overlay that stays open. */
export function addEntries(): void {
  if (isMoving || !window.matchMedia(PHONE).matches) return;
  while (depth() < open.length) {
    const { overlays = 0, __TSR_index = 0 } = entry();
    const state: EntryState = { ...entry(), overlays: overlays + 1, __TSR_index: __TSR_index + 1 };
    window.history.pushState(state, '');
  }
}

/** Leaves the entries of overlays that were closed in another way, or that a later page has left behind. */
function dropEntries(): void {
  if (isMoving || depth() <= open.length) return;
  isMoving = true;
  window.history.go(open.length - depth());
}

/** Calls `work` when the entries of closed overlays have left the history, which takes the browser a task. */
export function afterOverlays(work: () => void): void {
  setTimeout(() => {
    if (!isMoving && depth() <= open.length) return work();
    window.addEventListener('popstate', () => afterOverlays(work), { once: true });
  });
}

window.addEventListener('popstate', () => {
  if (isMoving) {
    isMoving = false;
    return addEntries();
  }
  // On wide screens overlays have no entries: Back leaves the page and closes all of them.
  for (const close of open.slice(depth()).reverse()) close();
  setTimeout(dropEntries);
});
