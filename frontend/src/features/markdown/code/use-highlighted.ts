import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { type ReactNode, useEffect, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { whenIdle } from '../../../app/browser/when-idle';
import { languageOf } from './languages';

/** Longer code is not highlighted, because it would block the page noticeably. */
const MAX_CHARACTERS = 30_000;
/** Number of highlighted blocks in the cache; blocks of a long thread unmount and mount again by scrolling. */
const CACHE_SIZE = 200;

const cache = new Map<string, ReactNode>();

function remember(key: string, tree: ReactNode) {
  cache.set(key, tree);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
}

/** The highlighted code; null until it is ready, while the block is open, and for an unknown language. */
export function useHighlighted(code: string, info: string, closed: boolean): ReactNode {
  const language = languageOf(info);
  const key = closed && language && code.length <= MAX_CHARACTERS ? `${language}\n${code}` : null;
  const [highlighted, setHighlighted] = useState<{ key: string; tree: ReactNode } | null>(null);

  useEffect(() => {
    if (!key || !language || cache.has(key)) return;
    let current = true;
    const highlightCode = async () => {
      const { highlight } = await import('./highlighter');
      const tree = await highlight(code, language);
      if (!tree) return;
      const rendered = toJsxRuntime(tree, { Fragment, jsx, jsxs }) as ReactNode;
      remember(key, rendered);
      if (current) setHighlighted({ key, tree: rendered });
    };
    // Without highlighting, the plain code stays.
    whenIdle(() => void highlightCode().catch(() => undefined));
    return () => {
      current = false;
    };
  }, [key, code, language]);

  if (!key) return null;
  return highlighted?.key === key ? highlighted.tree : (cache.get(key) ?? null);
}
