import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds now. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (notice: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', notice);
      return () => list.removeEventListener('change', notice);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
