import { useEffect, useState } from 'react';

/** Below this a wait is not worth showing. */
export const UNNOTICED_MS = 150;

/** True once the component has been on the screen long enough for a loading state to help more than it disturbs. */
export function useDelayed(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), UNNOTICED_MS);
    return () => clearTimeout(timer);
  }, []);
  return late;
}
