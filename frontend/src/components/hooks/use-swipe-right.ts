import { useRef, useState, type PointerEvent } from 'react';

/** Handlers for an element that is dismissed by a drag to the right of more than `distance` px; `offset` is the drag so far. */
export function useSwipeRight(distance: number, onSwipe: () => void) {
  const start = useRef<number | null>(null);
  const [offset, setOffset] = useState(0);

  const end = (event: PointerEvent) => {
    if (start.current === null) return;
    const moved = event.clientX - start.current;
    start.current = null;
    setOffset(0);
    if (moved > distance) onSwipe();
  };

  return {
    offset,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        start.current = event.clientX;
      },
      onPointerMove: (event: PointerEvent) => {
        if (start.current === null) return;
        const moved = Math.max(0, event.clientX - start.current);
        // Captured after 4 px, so that a click on the close button stays a click.
        if (moved > 4) event.currentTarget.setPointerCapture(event.pointerId);
        setOffset(moved);
      },
      onPointerUp: end,
      onPointerCancel: () => {
        start.current = null;
        setOffset(0);
      },
    },
  };
}
