import { useEffect, useRef } from 'react';
import { addEntries, openOverlay } from './overlay-history';

/**
 * Closes an overlay on browser back, unless it is locked. On phones the page stays; on wide screens it is left.
 */
export function useOnBack(close: () => void, isLocked = false): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = isLocked ? addEntries : close;
  });
  useEffect(() => openOverlay(() => latest.current()), []);
}
