import { useEffect } from 'react';

/** Pixels between a notice and the composer. */
const GAP = 8;
/** A composer within this distance stands at the lower edge of the window. On the home page it stands in the middle. */
const EDGE = 64;
/** Pixels that stay free for the notice itself above a very tall composer. */
const NOTICE = 160;
/** Width in px below which a notice is as wide as the screen, and would cover the fields and buttons at its lower end. */
const NARROW = 768;
/** The lower edge of a notice below the header of a narrow screen. */
const BELOW_HEADER = 'calc(100dvh - 9.5rem)';

/**
 * Keeps notices above a composer at the lower edge of the window, which is as tall as its attachments and text. Elsewhere
 * they stand at the lower edge, and on phones below the header: forms and the keyboard take the rest.
 */
export function useAboveComposer(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const composer = document.querySelector('.composer');
    const place = () => {
      const { top, bottom } = composer?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      // A dialog hides the page.
      const isAtEdge = composer && window.innerHeight - bottom < EDGE && !composer.closest('[inert], [aria-hidden]');
      const distance = Math.min(window.innerHeight - top + GAP, window.innerHeight - NOTICE);
      const elsewhere = window.innerWidth < NARROW ? BELOW_HEADER : '7.5rem';
      style.setProperty('--above-composer', isAtEdge ? `max(7.5rem, ${distance}px)` : elsewhere);
    };
    place();
    if (!composer) return;
    const observer = new ResizeObserver(place);
    observer.observe(composer);
    // The property stays, because the previous notice is removed after the next one is placed.
    return () => observer.disconnect();
  }, []);
}
