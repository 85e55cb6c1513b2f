import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** A smaller movement is not seen, and may be a rounding of the browser. */
const UNSEEN_PX = 1;
/** Safari on iOS ends a swipe whose place is set. */
const endsSwipes = (): boolean => CSS.supports('-webkit-touch-callout', 'none');
const SWIPE_ENDS_MS = 200;

const ROWS = '[data-message], [data-newest]';

interface Place {
  element: Element;
  top: number;
  /** The row that it is in, and its distance to the start of the row. */
  row: Element;
  offset: number;
}

/**
 * Keeps what the reader sees in its place while heights change: the virtualizer knows rows alone, and a row that reaches
 * over the upper edge may grow above it or below.
 * @returns to be called after the virtualizer has placed the rows anew
 */
export function useKeptPlace(scroller: RefObject<HTMLElement | null>, follows: RefObject<boolean>): () => void {
  /** The one to keep is first; the next ones are for the case that it is rendered anew. */
  const places = useRef<Place[]>([]);
  const scrolledAt = useRef(0);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let observer: ResizeObserver | undefined;
    const remember = () => {
      observer?.disconnect();
      places.current = follows.current ? [] : placesIn(element);
    };
    const handleScroll = () => {
      scrolledAt.current = performance.now();
      // A row may have grown since the last paint: a place that is measured now would be one that nobody has seen.
      for (const place of places.current) place.top = topOf(place.row) + place.offset;
      observer?.disconnect();
      // A new observer is called after that of the virtualizer, and before the next paint.
      observer = new ResizeObserver(remember);
      observer.observe(element);
    };
    element.addEventListener('scroll', handleScroll, { passive: true });
    return () => {
      element.removeEventListener('scroll', handleScroll);
      observer?.disconnect();
    };
  }, [scroller, follows]);

  return useCallback(() => {
    const element = scroller.current;
    if (!element || places.current.length === 0 || follows.current) return;
    if (endsSwipes() && performance.now() - scrolledAt.current < SWIPE_ENDS_MS) return;
    const kept = places.current.find((place) => place.element.getClientRects().length > 0);
    if (!kept) {
      places.current = placesIn(element);
      return;
    }
    const moved = topOf(kept.element) - kept.top;
    if (Math.abs(moved) >= UNSEEN_PX) element.scrollTop += moved;
    // Smaller movements add up.
    places.current = places.current.map((place) => ({
      ...placeOf(place.element),
      ...(place === kept && { top: kept.top }),
    }));
  }, [scroller, follows]);
}

/**
 * The first line or block that begins within the scroller; of a longer one, the one that is at its upper edge. Then what
 * follows it in its block, in its message and among the rows, except for a growing answer: below it all moves.
 */
function placesIn(scroller: HTMLElement): Place[] {
  const edge = topOf(scroller);
  let found: Element | null = null;
  const following: Element[] = [];
  // Rows stand in the order of their mounting. One that has no height yet is hidden, and not where it will be.
  let candidates = [...scroller.querySelectorAll(ROWS)]
    .filter((row) => getComputedStyle(row).visibility !== 'hidden')
    .sort((one, other) => topOf(one) - topOf(other));
  while (candidates.length > 0) {
    const index = candidates.findIndex((candidate) => isBelow(candidate, edge));
    const element = candidates[index];
    if (!element) break;
    found = element;
    following.unshift(...candidates.slice(index + 1, index + 2));
    if (topOf(element) >= edge) break;
    candidates = [...element.children];
  }
  if (!found) return [];
  return (found.closest('[data-streaming]') ? [found] : [found, ...following]).map(placeOf);
}

const topOf = (element: Element): number => element.getBoundingClientRect().top;

function placeOf(element: Element): Place {
  const row = element.closest(ROWS) ?? element;
  const top = topOf(element);
  return { element, top, row, offset: top - topOf(row) };
}

const isBelow = (element: Element, edge: number): boolean => {
  const { bottom, height } = element.getBoundingClientRect();
  return height > 0 && bottom > edge + UNSEEN_PX;
};
