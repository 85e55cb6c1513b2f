import { type RefObject, useEffect } from 'react';

/** Pixels between a notice and the composer. */
const GAP = 8;
/** A composer within this distance stands at the lower edge of the window. On the home page it stands in the middle. */
const EDGE = 64;
/** The header of a narrow screen and a gap, in px: no notice covers its buttons. */
const HEADER = 56;
/** Width in px below which a notice is as wide as the screen, and would cover the fields and buttons at its lower end. */
const NARROW = 768;
/**
 * Keeps notices above a composer at the lower edge of the window, which is as tall as its attachments and text. Elsewhere
 * they stand at the lower edge, and on phones below the header: forms and the keyboard take the rest.
 */
export function useAboveComposer(notice: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const composer = document.querySelector('.composer');
    const place = () => {
      const { top, bottom } = composer?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      // A dialog hides the page.
      const isAtEdge = composer && window.innerHeight - bottom < EDGE && !composer.closest('[inert], [aria-hidden]');
      const highest = `100dvh - ${HEADER + (notice.current?.offsetHeight ?? 0)}px`;
      const aboveComposer = `max(7.5rem, min(${window.innerHeight - top + GAP}px, ${highest}))`;
      const elsewhere = window.innerWidth < NARROW ? `calc(${highest})` : '7.5rem';
      style.setProperty('--above-composer', isAtEdge ? aboveComposer : elsewhere);
    };
    place();
    const observer = new ResizeObserver(place);
    for (const element of [composer, notice.current]) if (element) observer.observe(element);
    // The property stays, because the previous notice is removed after the next one is placed.
    return () => observer.disconnect();
  }, [notice]);
}
