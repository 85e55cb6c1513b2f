/** Minimum height of an on-screen keyboard; the browser's own bars are smaller. */
const KEYBOARD_PX = 120;

/**
 * Keeps the page above the on-screen keyboard in browsers that lay it over the page, such as Safari. Other browsers
 * resize the page (`interactive-widget` in index.html).
 */
export function keepAboveKeyboard(): void {
  const view = window.visualViewport;
  view?.addEventListener('resize', () => {
    const { style } = document.documentElement;
    // Zooming in also reduces the visible height.
    const isCovered = view.scale === 1 && view.height < window.innerHeight - KEYBOARD_PX;
    if (!isCovered) return style.removeProperty('--visible-height');
    style.setProperty('--visible-height', `${view.height}px`);
    // The browser scrolled the page to the focused field, which the smaller page shows without scrolling.
    window.scrollTo(0, 0);
  });
}
