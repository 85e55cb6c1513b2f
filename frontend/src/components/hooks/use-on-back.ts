import { useEffect } from 'react';

/** Calls the listener on browser back and forward, to close overlays of the page that is left. */
export function useOnBack(listener: () => void): void {
  useEffect(() => {
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, [listener]);
}
