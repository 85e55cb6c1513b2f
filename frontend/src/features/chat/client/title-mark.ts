const MARK = '● ';

/** Marks the page's title for an answer that finished while nobody looked; the first look takes the mark away. */
export function markTitle(): void {
  if (!document.hidden || document.title.startsWith(MARK)) return;
  document.title = MARK + document.title;
  document.addEventListener('visibilitychange', unmark);
}

function unmark(): void {
  if (document.hidden) return;
  if (document.title.startsWith(MARK)) document.title = document.title.slice(MARK.length);
  document.removeEventListener('visibilitychange', unmark);
}
