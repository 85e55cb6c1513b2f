const MARK = '● ';

let title = document.title;
let hasNews = false;
let holds = 0;

/** The page title without its mark. */
export const pageTitle = (): string => title;

export function setTitle(next: string): void {
  title = next;
  show();
}

/** Marks the title of a hidden tab until the tab is visible again. */
export function markTitle(): void {
  if (!document.hidden || hasNews) return;
  hasNews = true;
  show();
  document.addEventListener('visibilitychange', endNews);
}

/** Marks the title, also that of a visible tab. @returns ends the mark */
export function holdTitleMark(): () => void {
  holds += 1;
  show();
  return () => {
    holds -= 1;
    show();
  };
}

function endNews(): void {
  if (document.hidden) return;
  hasNews = false;
  show();
  document.removeEventListener('visibilitychange', endNews);
}

function show(): void {
  document.title = hasNews || holds > 0 ? MARK + title : title;
}
