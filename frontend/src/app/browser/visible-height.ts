/** No browser's own bars take as much as a keyboard. */
const KEYBOARD_PX = 120;

/**
 * Keeps the page above the on-screen keyboard where the browser lays that over the page, as Safari does; elsewhere the
 * page becomes smaller by itself (`interactive-widget` in index.html).
 */
export function keepAboveKeyboard(): void {
  const view = window.visualViewport;
  view?.addEventListener('resize', () => {
    const { style } = document.documentElement;
    // A page that was zoomed into shows less of itself, too.
    const isCovered = view.scale === 1 && view.height < window.innerHeight - KEYBOARD_PX;
    if (!isCovered) return style.removeProperty('--visible-height');
    style.setProperty('--visible-height', `${view.height}px`);
    // The browser has moved the page up for the field that is now in sight without that.
    window.scrollTo(0, 0);
  });
}
