import type { Thread } from '@tanya/contract';
import { type ReactNode, startTransition, useCallback, useEffect, useState } from 'react';

/** Rows that are mounted together. More would be a longer task, fewer would be more observers. */
const BLOCK_ROWS = 10;

/** Rows that are mounted at once. Others wait for the observer, whose report follows the first paint. */
const FIRST_ROWS = 40;

/** So far beyond the screen rows are mounted, so that neither a scroll nor the Tab key arrives before them. */
const MARGIN_PX = 1000;

/** So far beyond it they go again: further than they come by more than the height of ten, of which the first one reports. */
const KEPT_PX = 1500;

/** A row that would lose the focus, or the anchor of its menu. */
const IN_USE = ':focus-within, :has([aria-expanded=true])';

interface RowsNearScreenProps {
  threads: readonly Thread[];
  /** The row of a thread, as high as `--row`. */
  children: (thread: Thread) => ReactNode;
}

/** The items of a list. Ten that are far from the screen are one empty item of their height. */
export function RowsNearScreen({ threads, children }: RowsNearScreenProps) {
  const [mounted, setMounted] = useState<ReadonlySet<number>>(firstBlocks);
  const report = useCallback((block: number, isNear: boolean) => {
    // In parts: a jump to another place mounts the rows of a whole screen.
    startTransition(() => setMounted((before) => withBlock(before, block, isNear)));
  }, []);
  const blocks = Array.from({ length: Math.ceil(threads.length / BLOCK_ROWS) }, (_, block) => block);
  return blocks.flatMap((block) => {
    const from = block * BLOCK_ROWS;
    const shown = threads.slice(from, from + BLOCK_ROWS);
    if (!mounted.has(block))
      return <Item key={`block ${block}`} block={block} emptyRows={shown.length} report={report} />;
    // Flat, so that a row stays mounted when another one above moves it into the next ten.
    return shown.map((thread, index) => (
      <Item
        key={thread.id}
        block={index === 0 ? block : null}
        place={from + index + 1}
        count={threads.length}
        report={report}
      >
        {children(thread)}
      </Item>
    ));
  });
}

const firstBlocks = (): ReadonlySet<number> => new Set(Array.from({ length: FIRST_ROWS / BLOCK_ROWS }, (_, at) => at));

function withBlock(blocks: ReadonlySet<number>, block: number, isIn: boolean): ReadonlySet<number> {
  if (blocks.has(block) === isIn) return blocks;
  const changed = new Set(blocks);
  if (isIn) changed.add(block);
  else changed.delete(block);
  return changed;
}

interface ItemProps {
  /** The ten rows that it is the first one of, or stands for; null for the others. */
  block: number | null;
  /** Rows that it stands for. */
  emptyRows?: number;
  place?: number;
  count?: number;
  report: (block: number, isNear: boolean) => void;
  children?: ReactNode;
}

function Item({ block, emptyRows = 0, place, count, report, children }: ItemProps) {
  const [element, setElement] = useState<HTMLLIElement | null>(null);
  const isEmpty = emptyRows > 0;
  useEffect(() => {
    if (!element || block === null) return;
    const margin = isEmpty ? MARGIN_PX : KEPT_PX;
    const observer = new IntersectionObserver(
      (entries) => {
        const isNear = entries.at(-1)!.isIntersecting;
        if (isNear || !isInUse(element)) report(block, isNear);
      },
      { root: element.closest('[data-scroller]'), rootMargin: `${margin}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, block, isEmpty, report]);
  if (isEmpty) return <li role="presentation" ref={setElement} style={{ height: `calc(${emptyRows} * var(--row))` }} />;
  return (
    <li ref={setElement} aria-posinset={place} aria-setsize={count}>
      {children}
    </li>
  );
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
