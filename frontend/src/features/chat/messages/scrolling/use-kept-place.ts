import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** A smaller movement is not seen, and may be a rounding of the browser. */
const UNSEEN_PX = 1;
/** Safari on iOS ends a swipe whose place is set. */
const endsSwipes = (): boolean => CSS.supports('-webkit-touch-callout', 'none');
const SWIPE_ENDS_MS = 200;

interface Place {
  element: Element;
  top: number;
}

/**
 * Keeps what the reader sees in its place while heights change: the virtualizer knows rows alone, and a row that reaches
 * over the upper edge may grow above it or below.
 * @returns to be called after the virtualizer has placed the rows anew
 */
export function useKeptPlace(scroller: RefObject<HTMLElement | null>, follows: RefObject<boolean>): () => void {
  const place = useRef<Place | null>(null);
  const scrolledAt = useRef(0);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const remember = () => {
      scrolledAt.current = performance.now();
      place.current = follows.current ? null : placeIn(element);
    };
    element.addEventListener('scroll', remember, { passive: true });
    return () => element.removeEventListener('scroll', remember);
  }, [scroller, follows]);

  return useCallback(() => {
    const element = scroller.current;
    const kept = place.current;
    if (!element || !kept || follows.current) return;
    if (endsSwipes() && performance.now() - scrolledAt.current < SWIPE_ENDS_MS) return;
    // An element that was rendered anew, or is hidden.
    if (kept.element.getClientRects().length === 0) {
      place.current = placeIn(element);
      return;
    }
    const moved = kept.element.getBoundingClientRect().top - kept.top;
    if (Math.abs(moved) >= UNSEEN_PX) element.scrollTop += moved;
  }, [scroller, follows]);
}

/** The first line or block that begins within the scroller; of a longer one, the one that is at its upper edge. */
function placeIn(scroller: HTMLElement): Place | null {
  const edge = scroller.getBoundingClientRect().top;
  let found: Place | null = null;
  // Rows stand in the order of their mounting. One that has no height yet is hidden, and not where it will be.
  let candidates = [...scroller.querySelectorAll('[data-message], [data-newest]')]
    .filter((row) => getComputedStyle(row).visibility !== 'hidden')
    .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
  while (candidates.length > 0) {
    const element: Element | undefined = candidates.find((candidate) => isBelow(candidate, edge));
    if (!element) break;
    const { top } = element.getBoundingClientRect();
    found = { element, top };
    if (top >= edge) break;
    candidates = [...element.children];
  }
  return found;
}

const isBelow = (element: Element, edge: number): boolean => {
  const { bottom, height } = element.getBoundingClientRect();
  return height > 0 && bottom > edge + UNSEEN_PX;
};
