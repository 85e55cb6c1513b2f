import type { Thread } from '@tanya/contract';
import { type ReactNode, startTransition, useEffect, useState } from 'react';

/** Rows that are mounted together. More would be a longer task, fewer would be more observers. */
const BLOCK_ROWS = 10;

/** Rows that are mounted at once. Others wait for the observer, whose report follows the first paint. */
const FIRST_ROWS = 40;

/** So far beyond the screen rows are mounted, so that neither a scroll nor the Tab key arrives before them. */
const MARGIN_PX = 1000;

/** A row that would lose the focus, or the anchor of its menu. */
const IN_USE = ':focus-within, :has([aria-expanded=true])';

interface RowsNearScreenProps {
  threads: readonly Thread[];
  /** The row of a thread, as high as `--row`. */
  children: (thread: Thread) => ReactNode;
}

/** The items of a list. Ten that are far from the screen are one empty item of their height. */
export function RowsNearScreen({ threads, children }: RowsNearScreenProps) {
  return Array.from({ length: Math.ceil(threads.length / BLOCK_ROWS) }, (_, block) => (
    <Block key={block} threads={threads} from={block * BLOCK_ROWS}>
      {children}
    </Block>
  ));
}

function Block({ threads, from, children }: RowsNearScreenProps & { from: number }) {
  const [isMounted, setMounted] = useState(from < FIRST_ROWS);
  const [start, setStart] = useState<HTMLLIElement | null>(null);
  useEffect(() => {
    if (!start) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)!.isIntersecting;
        // In parts: a jump to another place mounts the rows of a whole screen.
        if (isNear || !isInUse(start)) startTransition(() => setMounted(isNear));
      },
      { root: start.closest('[data-scroller]'), rootMargin: `${MARGIN_PX}px 0px` },
    );
    observer.observe(start);
    return () => observer.disconnect();
  }, [start]);
  const shown = threads.slice(from, from + BLOCK_ROWS);
  if (!isMounted)
    return <li role="presentation" ref={setStart} style={{ height: `calc(${shown.length} * var(--row))` }} />;
  return shown.map((thread, index) => (
    <li
      key={thread.id}
      ref={index === 0 ? setStart : undefined}
      aria-posinset={from + index + 1}
      aria-setsize={threads.length}
    >
      {children(thread)}
    </li>
  ));
}

/** @param start the first item of a block */
function isInUse(start: Element): boolean {
  let item: Element | null = start;
  for (let index = 0; item && index < BLOCK_ROWS; index += 1) {
    if (item.matches(IN_USE)) return true;
    item = item.nextElementSibling;
  }
  return false;
}
