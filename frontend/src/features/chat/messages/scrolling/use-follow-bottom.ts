import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The reader is at the end within this distance. */
const AT_BOTTOM_PX = 24;
/** The button that jumps to the end is shown beyond this distance. */
const FAR_PX = 240;

/** A conversation is at its end for so many frames before it is shown. */
const SETTLED_FRAMES = 2;
const SETTLED_WITHIN_MS = 1_000;

interface FollowBottom {
  /** True while the button that jumps to the end is shown. */
  isAway: boolean;
  jump: () => void;
  /** Stops the following, as scrolling up does. */
  stay: () => void;
  follows: RefObject<boolean>;
}

function distance(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
}

/**
 * Hides a long conversation while its rows get their heights: it would be seen at a wrong place first. One that is opened
 * at a message that was searched for does not follow its end.
 */
function hideUntilSettled(scroller: HTMLElement, content: HTMLElement, follows: RefObject<boolean>): () => void {
  if (scroller.scrollHeight <= scroller.clientHeight) return () => undefined;
  const { style } = content;
  style.opacity = '0';
  let settled = 0;
  let height = 0;
  let frame = 0;
  const show = () => {
    cancelAnimationFrame(frame);
    style.opacity = '';
  };
  const look = () => {
    const isInPlace = !follows.current || distance(scroller) <= AT_BOTTOM_PX;
    settled = isInPlace && scroller.scrollHeight === height ? settled + 1 : 0;
    height = scroller.scrollHeight;
    if (settled >= SETTLED_FRAMES) show();
    else frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
  const timer = setTimeout(show, SETTLED_WITHIN_MS);
  return () => {
    clearTimeout(timer);
    show();
  };
}

/**
 * Keeps a growing conversation scrolled to its end. Scrolling up stops this until the reader has reached the end again.
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

  const stay = useCallback(() => {
    follows.current = false;
  }, []);

  useLayoutEffect(() => {
    if (scroller.current && content.current) return hideUntilSettled(scroller.current, content.current, follows);
  }, [scroller, content]);

  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return;
    let lastTop = element.scrollTop;
    let lastHeight = element.scrollHeight;
    const handleScroll = () => {
      const toEnd = distance(element);
      // A conversation that has shrunk moves up by itself; the reader did not scroll.
      const hasShrunk = element.scrollHeight < lastHeight;
      if (toEnd <= AT_BOTTOM_PX) follows.current = true;
      else if (element.scrollTop < lastTop - 2 && !hasShrunk) follows.current = false;
      lastTop = element.scrollTop;
      lastHeight = element.scrollHeight;
      setAway(!follows.current && toEnd > FAR_PX);
    };
    const resizeObserver = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
      else setAway(distance(element) > FAR_PX);
    });
    const handleWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && element.scrollHeight > element.clientHeight) follows.current = false;
    };
    element.addEventListener('scroll', handleScroll, { passive: true });
    element.addEventListener('wheel', handleWheel, { passive: true });
    resizeObserver.observe(content.current);
    resizeObserver.observe(element);
    return () => {
      element.removeEventListener('scroll', handleScroll);
      element.removeEventListener('wheel', handleWheel);
      resizeObserver.disconnect();
    };
  }, [scroller, content]);

  return { isAway, jump, stay, follows };
}
