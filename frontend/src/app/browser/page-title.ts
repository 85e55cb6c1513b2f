const MARK = '● ';

/** Sets the page title and keeps the mark of a finished answer. */
export function setTitle(title: string): void {
  document.title = isMarked() ? MARK + title : title;
}

/** Prefixes the page title of a hidden tab with a mark until the tab is visible again. */
export function markTitle(): void {
  if (!document.hidden || isMarked()) return;
  document.title = MARK + document.title;
  document.addEventListener('visibilitychange', unmarkTitle);
}

function unmarkTitle(): void {
  if (document.hidden) return;
  if (isMarked()) document.title = document.title.slice(MARK.length);
  document.removeEventListener('visibilitychange', unmarkTitle);
}

function isMarked(): boolean {
  return document.title.startsWith(MARK);
}
