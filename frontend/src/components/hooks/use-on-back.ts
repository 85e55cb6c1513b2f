import { useEffect } from 'react';

/** Tells when the browser goes back or forward: what floats over the page that was there has to go with it. */
export function useOnBack(listener: () => void): void {
  useEffect(() => {
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, [listener]);
}
