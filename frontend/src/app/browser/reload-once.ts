import { t } from '../i18n/translate';
import { api } from '../api/api-client';

const STORAGE_KEY = 'tanya.reloaded-at';
const MIN_INTERVAL_MS = 60_000;

let loadsWithoutReload = 0;

/**
 * Loads code for which no page is to be reloaded: ahead of its need, or once more, where the first failure has reloaded it if
 * that could help.
 */
export async function withoutReload<T>(load: () => Promise<T>): Promise<T> {
  loadsWithoutReload += 1;
  try {
    return await load();
  } finally {
    loadsWithoutReload -= 1;
  }
}

/**
 * Reloads the page when a chunk is missing, at most once a minute: a chunk that is still missing after a reload does not
 * exist. Does not reload while the server is unreachable, which would show the browser's error page.
 */
export async function reloadOnce({ payload }: VitePreloadErrorEvent): Promise<void> {
  // The router recognises the browser's message and would reload even without a connection.
  payload.message = t('page.missingPart');
  if (loadsWithoutReload > 0) return;
  const last = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
  if (Date.now() - last < MIN_INTERVAL_MS || !(await isServerReachable())) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}

export async function reloadIfPossible(): Promise<void> {
  if (await isServerReachable()) window.location.reload();
}

async function isServerReachable(): Promise<boolean> {
  return api.get('/api/health/live').then(
    () => true,
    () => false,
  );
}
