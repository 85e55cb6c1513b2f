/** Registers the worker that shows the page without a connection. Not while the browser saves data: it loads 1 MB. */
export async function registerServiceWorker(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!import.meta.env.PROD || connection?.saveData || !('serviceWorker' in navigator)) return;
  // A browser may forbid it, as in some private windows; the page works without.
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
}
