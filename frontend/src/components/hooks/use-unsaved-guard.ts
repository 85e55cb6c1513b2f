import { type HistoryLocation, type RouterHistory, useRouter } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterOverlays } from './overlay-history';

/** A blocked navigation: to a new entry of the history, or by a number of entries. */
type Departure = { type: 'PUSH' | 'REPLACE'; location: HistoryLocation } | { type: 'MOVE'; delta: number };

interface UnsavedGuard {
  isAsking: boolean;
  stay: () => void;
  leave: () => void;
}

/**
 * Blocks navigation to another page while something is unsaved: links, Back and Forward. Reloading or closing the page
 * asks with the browser's own dialog, which is the only one that a page can show then.
 * @param isUnsaved asked at each navigation
 * @param isWithin whether a path is a part of this page; by default its own path alone
 */
export function useUnsavedGuard(isUnsaved: () => boolean, isWithin?: (path: string) => boolean): UnsavedGuard {
  const { history } = useRouter();
  const [departure, setDeparture] = useState<Departure | null>(null);
  const latest = useRef({ isUnsaved, isWithin });

  // Layout effects, so that a page that is removed does not block the redirect that removes it.
  useLayoutEffect(() => {
    latest.current = { isUnsaved, isWithin };
  });
  useLayoutEffect(() => {
    return history.block({
      enableBeforeUnload: () => latest.current.isUnsaved(),
      blockerFn: ({ currentLocation, nextLocation, action }) => {
        if (!latest.current.isUnsaved()) return false;
        // Overlays and sections add entries for the same page.
        if (currentLocation.pathname === nextLocation.pathname) return false;
        if (latest.current.isWithin?.(nextLocation.pathname)) return false;
        if (action === 'PUSH' || action === 'REPLACE') {
          setDeparture({ type: action, location: nextLocation });
        } else {
          const delta = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
          // The router first moves back to this page; the dialog then adds its entry on phones.
          window.addEventListener('popstate', () => setDeparture({ type: 'MOVE', delta }), { once: true });
        }
        return true;
      },
    });
  }, [history]);

  return {
    isAsking: departure !== null,
    stay: () => setDeparture(null),
    leave: () => {
      // Synchronous, because `afterOverlays` waits only for the history entries of dialogs that are removed already.
      flushSync(() => setDeparture(null));
      if (departure) afterOverlays(() => depart(history, departure));
    },
  };
}

function depart(history: RouterHistory, departure: Departure): void {
  const options = { ignoreBlocker: true };
  if (departure.type === 'MOVE') return history.go(departure.delta, options);
  const { href, state } = departure.location;
  if (departure.type === 'PUSH') history.push(href, state, options);
  else history.replace(href, state, options);
}
