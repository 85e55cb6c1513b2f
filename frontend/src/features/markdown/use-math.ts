import { useEffect, useState } from 'react';
import type { Options } from 'react-markdown';

export interface MathPlugins {
  remarkPlugins: NonNullable<Options['remarkPlugins']>;
  rehypePlugins: NonNullable<Options['rehypePlugins']>;
}

let loaded: MathPlugins | null = null;

/** The formula renderer, fetched by the first formula; null until it is here. */
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
      // Without it the formula's source stays readable.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [needed]);
  return needed ? (plugins ?? loaded) : null;
}
