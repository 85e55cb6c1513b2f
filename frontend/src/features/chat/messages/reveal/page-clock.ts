/** The time of the page: the browser's in the product, a fake in tests. */
export interface PageClock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** True if text is shown at once: in a hidden tab and for a reader who prefers reduced motion. */
  isStill(): boolean;
}

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

export const pageClock: PageClock = {
  now: () => performance.now(),
  isStill: () => document.hidden || reducedMotion.matches,
};
