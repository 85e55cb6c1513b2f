import { useEffect, useState } from 'react';
import type { MathPlugins } from './math-plugins';

let loaded: MathPlugins | null = null;

/** The formula renderer, loaded with the first formula; null until it is loaded. */
export function useMath(needed: boolean): MathPlugins | null {
  const [plugins, setPlugins] = useState(loaded);
  useEffect(() => {
    if (!needed || loaded) return;
    let current = true;
    import('./math-plugins').then(
      (file) => {
        loaded = file.mathPlugins;
        if (current) setPlugins(loaded);
      },
      // Without the renderer, the source of the formula is shown.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [needed]);
  return needed ? (plugins ?? loaded) : null;
}
