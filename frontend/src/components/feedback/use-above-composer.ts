import { useEffect } from 'react';

/** Pixels between a notice and the composer. */
const GAP = 8;
/** A composer within this distance stands at the lower edge of the window. On the home page it stands in the middle. */
const EDGE = 64;
/** Pixels that stay free for the notice itself above a very tall composer. */
const NOTICE = 160;

/** Keeps notices above a composer at the lower edge of the window, which is as tall as its attachments and text. */
export function useAboveComposer(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const composer = document.querySelector('.composer');
    if (!composer) {
      style.removeProperty('--above-composer');
      return;
    }
    const place = () => {
      const { top, bottom } = composer.getBoundingClientRect();
      // A dialog hides the page.
      const isAtEdge = window.innerHeight - bottom < EDGE && !composer.closest('[inert], [aria-hidden]');
      const distance = Math.min(window.innerHeight - top + GAP, window.innerHeight - NOTICE);
      style.setProperty('--above-composer', isAtEdge ? `max(7.5rem, ${distance}px)` : '7.5rem');
    };
    const observer = new ResizeObserver(place);
    observer.observe(composer);
    // The property stays, because the previous notice is removed after the next one is placed.
    return () => observer.disconnect();
  }, []);
}
