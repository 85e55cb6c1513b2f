const STORAGE_KEY = 'tanya.reloaded-at';
const PAUSE_MS = 60_000;

/** Loads the page anew, but not again and again: what is still missing after that is missing for good. */
export function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
  if (Date.now() - last < PAUSE_MS) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}
