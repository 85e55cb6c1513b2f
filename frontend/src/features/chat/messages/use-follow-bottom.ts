import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Nearer to the end than this counts as being there. */
const AT_BOTTOM_PX = 24;
/** Farther away than this the way back deserves a button. */
const FAR_PX = 240;

interface FollowBottom {
  /** True while the reader is far enough from the end to want a way back. */
  isAway: boolean;
  jump: () => void;
}

function distance(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
}

/**
 * Keeps a growing conversation at its end, but only for a reader who is there: whoever scrolls up is left alone until
 * the end is reached again.
 */
export function useFollowBottom(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): FollowBottom {
  const follows = useRef(true);
  const [isAway, setAway] = useState(false);

  const jump = useCallback(() => {
    follows.current = true;
    setAway(false);
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return;
    let lastTop = element.scrollTop;
    let lastHeight = element.scrollHeight;
    const scrolled = () => {
      const left = distance(element);
      // What became shorter and grew again has moved by itself: nobody scrolled up.
      const hasShrunk = element.scrollHeight < lastHeight;
      if (left <= AT_BOTTOM_PX) follows.current = true;
      else if (element.scrollTop < lastTop - 2 && !hasShrunk) follows.current = false;
      lastTop = element.scrollTop;
      lastHeight = element.scrollHeight;
      setAway(!follows.current && left > FAR_PX);
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
      else setAway(distance(element) > FAR_PX);
    });
    const wheeled = (event: WheelEvent) => {
      if (event.deltaY < 0 && element.scrollHeight > element.clientHeight) follows.current = false;
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    element.addEventListener('wheel', wheeled, { passive: true });
    grown.observe(content.current);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', scrolled);
      element.removeEventListener('wheel', wheeled);
      grown.disconnect();
    };
  }, [scroller, content]);

  return { isAway, jump };
}
