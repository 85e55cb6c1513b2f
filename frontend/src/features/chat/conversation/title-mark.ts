const MARK = '● ';

/** Prefixes the page title of a hidden tab with a mark until the tab is visible again. */
export function markTitle(): void {
  if (!document.hidden || document.title.startsWith(MARK)) return;
  document.title = MARK + document.title;
  document.addEventListener('visibilitychange', unmarkTitle);
}

function unmarkTitle(): void {
  if (document.hidden) return;
  if (document.title.startsWith(MARK)) document.title = document.title.slice(MARK.length);
  document.removeEventListener('visibilitychange', unmarkTitle);
}
