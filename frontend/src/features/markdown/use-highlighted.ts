import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { type ReactNode, useEffect, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { whenIdle } from '../../app/browser/when-idle';
import { languageOf } from './languages';

/** Colouring more than this at once would be felt as a pause. */
const MAX_CHARACTERS = 30_000;
/** Blocks that scrolled out of a long thread come back in colour at once. */
const CACHE_SIZE = 200;

const cache = new Map<string, ReactNode>();

function remember(key: string, tree: ReactNode) {
  cache.set(key, tree);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
}

/** The code in colours once they are there; null until then, while the block is open, and where we don't know the language. */
export function useHighlighted(code: string, info: string, closed: boolean): ReactNode {
  const language = languageOf(info);
  const key = closed && language && code.length <= MAX_CHARACTERS ? `${language}\n${code}` : null;
  const [coloured, setColoured] = useState<{ key: string; tree: ReactNode } | null>(null);

  useEffect(() => {
    if (!key || !language || cache.has(key)) return;
    let current = true;
    const paint = async () => {
      const { highlight } = await import('./highlighter');
      const tree = await highlight(code, language);
      if (!tree) return;
      const rendered = toJsxRuntime(tree, { Fragment, jsx, jsxs }) as ReactNode;
      remember(key, rendered);
      if (current) setColoured({ key, tree: rendered });
    };
    // Colours are an extra: without them the code stands there plainly.
    whenIdle(() => void paint().catch(() => undefined));
    return () => {
      current = false;
    };
  }, [key, code, language]);

  if (!key) return null;
  return coloured?.key === key ? coloured.tree : (cache.get(key) ?? null);
}
