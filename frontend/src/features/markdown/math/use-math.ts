import { useEffect, useState } from 'react';

/** A hook for code that only some texts need: null until it is loaded, and without a need. */
function lateCode<T>(load: () => Promise<T>): (needed: boolean) => T | null {
  let loaded: T | null = null;
  return function useLateCode(needed) {
    const [code, setCode] = useState(loaded);
    useEffect(() => {
      if (!needed || loaded) return;
      let current = true;
      load().then(
        (value) => {
          loaded = value;
          if (current) setCode(() => value);
        },
        // Without the code, the source of the formula is shown.
        () => undefined,
      );
      return () => {
        current = false;
      };
    }, [needed]);
    return needed ? (code ?? loaded) : null;
  };
}

export const useFormulaReader = lateCode(() => import('./formula-reader'));
export const useMath = lateCode(async () => (await import('./math-plugins')).mathPlugins);
