import { readStored, writeStored } from '../storage/stored';
import { t } from '../i18n/translate';
import { api } from '../api/api-client';

const MIN_INTERVAL_MS = 60_000;
const RELOADED_KEY = 'tanya.reloaded';

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
  if (!wasJustReloaded()) await reloadIfPossible();
}

export async function reloadIfPossible(): Promise<void> {
  if (!(await isServerReachable())) return;
  writeStored(RELOADED_KEY, String(Date.now()), 'tab');
  window.location.reload();
}

/** A reload by its reader does not count, except where storage is blocked and the browser alone knows of one. */
function wasJustReloaded(): boolean {
  if (readStored(RELOADED_KEY, 'tab') === null) writeStored(RELOADED_KEY, '0', 'tab');
  const reloadedAt = readStored(RELOADED_KEY, 'tab');
  if (reloadedAt !== null) return Date.now() - Number(reloadedAt) < MIN_INTERVAL_MS;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'reload' && performance.now() < MIN_INTERVAL_MS;
}

async function isServerReachable(): Promise<boolean> {
  return api.get('/api/health/live').then(
    () => true,
    () => false,
  );
}
