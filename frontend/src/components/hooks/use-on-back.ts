import { useEffect, useRef } from 'react';
import { openOverlay } from './overlay-history';

/** Closes an overlay on browser back. On phones the page stays; on wide screens it is left. */
export function useOnBack(close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => openOverlay(() => latest.current()), []);
}
