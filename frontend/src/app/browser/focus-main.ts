import { useEffect } from 'react';

/** Moves the focus to the main content, past the navigation. */
export function focusMain(): void {
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}

/** How long a page may take to be shown, with the one that stands for it while it loads. */
const PAGE_MS = 5_000;
let awaited: { until: number; path?: string } = { until: 0 };

/** Lets the next page take the focus, because the control that leads to it goes with its own page. */
export function focusNextPage(): void {
  awaited = { until: Date.now() + PAGE_MS };
}

export function useAwaitedFocus(): void {
  useEffect(() => {
    if (Date.now() > awaited.until) return;
    // A page has the address of the one that stands for it.
    awaited.path ??= location.pathname;
    if (awaited.path !== location.pathname) return;
    // A dialog that closes returns the focus first.
    setTimeout(() => {
      if (document.activeElement === document.body) focusMain();
    });
  }, []);
}
