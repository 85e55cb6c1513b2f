import { api } from '../api/api-client';

const STORAGE_KEY = 'tanya.reloaded-at';
const PAUSE_MS = 60_000;

/** What a person reads where a part of the page could not be loaded. */
const MISSING_PART = 'A part of this page could not be loaded. Check your connection and try again.';

/**
 * Loads the page anew when a part of it is gone, but not again and again: what is still missing after that is missing for
 * good. Without an answer from the server the page stays, because the browser's own error page would take its place.
 */
export async function reloadOnce({ payload }: VitePreloadErrorEvent): Promise<void> {
  // The router knows this failure by the browser's words and would reload whatever the connection is.
  payload.message = MISSING_PART;
  const last = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
  if (Date.now() - last < PAUSE_MS || !(await serverAnswers())) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}

/** Loads the page anew if there is a server to load it from. */
export async function reloadIfPossible(): Promise<void> {
  if (await serverAnswers()) window.location.reload();
}

async function serverAnswers(): Promise<boolean> {
  return api.get('/api/health/live').then(
    () => true,
    () => false,
  );
}
