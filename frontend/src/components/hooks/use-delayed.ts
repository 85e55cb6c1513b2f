import { useEffect, useState } from 'react';

/** Shorter waits show no loading state, which would only flicker. */
export const LOADING_DELAY_MS = 150;

/** True once the component has been mounted for LOADING_DELAY_MS. */
export function useDelayed(): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), LOADING_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isDue;
}
