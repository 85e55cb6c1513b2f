import { type RefCallback, useCallback, useState } from 'react';

/** Whether an element is narrower than `limit` px. A media query would ignore the width of the sidebar. */
export function useNarrow(limit: number): [ref: RefCallback<HTMLElement>, narrow: boolean] {
  const [narrow, setNarrow] = useState(false);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const measure = () => setNarrow(element.clientWidth < limit);
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(element);
      return () => observer.disconnect();
    },
    [limit],
  );
  return [ref, narrow];
}
