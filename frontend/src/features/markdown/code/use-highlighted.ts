import { type ReactNode, useEffect, useMemo, useReducer, useState } from 'react';
import { whenIdle } from '../../../app/browser/when-idle';
import type { GrowingColours } from './growing-colours';
import { type Coloured, languageOf } from './languages';

/** Longer code is not highlighted. */
const MAX_CHARACTERS = 200_000;
/** Number of highlighted blocks in the cache; blocks of a long thread unmount and mount again by scrolling. */
const CACHE_SIZE = 200;

const cache = new Map<string, ReactNode[]>();

function remember(key: string, nodes: ReactNode[]) {
  cache.set(key, nodes);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
}

/** Creates the colours of code in a language, with all code that they need. */
async function loadColours(language: Coloured): Promise<GrowingColours> {
  const [{ GrowingColours: Colours }, { highlight, prepare }] = await Promise.all([
    import('./growing-colours'),
    import('./highlighter'),
  ]);
  await prepare(language);
  return new Colours(language, highlight);
}

/**
 * The highlighted code; null until it is ready, and for an unknown language. Code that grows has its colours at once; that
 * of an earlier answer gets them while the page is idle, a part at a time.
 */
export function useHighlighted(code: string, info: string, closed: boolean): ReactNode {
  const language = languageOf(info);
  const isColoured = language !== null && code.length <= MAX_CHARACTERS;
  const key = `${language}\n${code}`;
  const known = closed && isColoured ? cache.get(key) : undefined;
  const isNeeded = isColoured && code !== '' && known === undefined;
  const [loaded, setLoaded] = useState<{ language: string; colours: GrowingColours } | null>(null);
  // The name of the language may grow too: `c` becomes `css`.
  const colours = loaded?.language === language ? loaded.colours : null;
  const [reads, readOn] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    if (!isNeeded || colours || !language) return;
    let current = true;
    const load = () =>
      loadColours(language).then(
        (created) => current && setLoaded({ language, colours: created }),
        // Without highlighting, the plain code stays.
        () => undefined,
      );
    const cancel = closed ? whenIdle(() => void load()) : void load();
    return () => {
      current = false;
      cancel?.();
    };
  }, [isNeeded, colours, language, closed]);

  // Each reading goes on where the last one ended.
  const view = useMemo(
    () => (isNeeded && colours && reads >= 0 ? colours.update(code) : null),
    [isNeeded, colours, code, reads],
  );
  useEffect(() => {
    if (view && !view.isComplete) return whenIdle(readOn);
    if (view && closed) remember(key, view.nodes);
  }, [view, closed, key]);
  return known ?? view?.nodes ?? null;
}
