import type { InfiniteData } from '@tanstack/react-query';
import type { Thread } from '@tanya/contract';
import type { Page } from '../api/api-client';

export type ThreadPages = InfiniteData<Page<Thread>, string | null>;

/**
 * Merges a new first page into the cached pages: its threads move to the front and are removed from later pages. One
 * small read thus updates a list of any length.
 */
export function withNewestPage(pages: ThreadPages, newest: Page<Thread>): ThreadPages {
  const [first, ...rest] = pages.pages;
  if (!first) return pages;
  const fresh = new Set(newest.items.map((thread) => thread.id));
  const keep = (page: Page<Thread>) => ({ ...page, items: page.items.filter((thread) => !fresh.has(thread.id)) });
  // Threads that the new first page no longer holds stay on the old one.
  const items = [...newest.items, ...keep(first).items];
  return { ...pages, pages: [{ items, nextCursor: first.nextCursor }, ...rest.map(keep)] };
}

export function withoutThread(pages: ThreadPages, threadId: number): ThreadPages {
  return mapPages(pages, (items) => items.filter((thread) => thread.id !== threadId));
}

/** Puts a thread that was read alone into its place, unless that is below the pages of the cache. */
export function withThread(known: ThreadPages, thread: Thread): ThreadPages {
  const isInPlace = known.pages.some(({ items }) => items.some((other) => isSame(other, thread)));
  if (isInPlace) return mapPages(known, (items) => items.map((other) => (other.id === thread.id ? thread : other)));
  const pages = withoutThread(known, thread.id);
  const place = pages.pages.findIndex(({ items }) => items.some((other) => precedes(thread, other)));
  const last = pages.pages.length - 1;
  if (place < 0 && pages.pages[last]?.nextCursor !== null) return pages;
  const changed = place < 0 ? last : place;
  return {
    ...pages,
    pages: pages.pages.map((page, index) => {
      if (index !== changed) return page;
      const at = page.items.findIndex((other) => precedes(thread, other));
      return { ...page, items: page.items.toSpliced(at < 0 ? page.items.length : at, 0, thread) };
    }),
  };
}

const isSame = (one: Thread, other: Thread): boolean =>
  one.id === other.id && one.isPinned === other.isPinned && one.updatedAt === other.updatedAt;

/** The order of the server: pinned threads, then the others, each newest first. */
function precedes(one: Thread, other: Thread): boolean {
  if (one.isPinned !== other.isPinned) return one.isPinned;
  return one.updatedAt === other.updatedAt ? one.id > other.id : one.updatedAt > other.updatedAt;
}

export function withChanges(pages: ThreadPages, threadId: number, changes: Partial<Thread>): ThreadPages {
  return mapPages(pages, (items) =>
    items.map((thread) => (thread.id === threadId ? { ...thread, ...changes } : thread)),
  );
}

/** Removes the marks of a thread whose answer has ended. */
export function withoutActivity(pages: ThreadPages, threadId: number): ThreadPages {
  const isMarked = ({ id, streaming, waiting }: Thread) => id === threadId && (streaming || waiting);
  if (!pages.pages.some((page) => page.items.some(isMarked))) return pages;
  return mapPages(pages, (items) =>
    items.map((thread) => (thread.id === threadId ? { ...thread, streaming: false, waiting: undefined } : thread)),
  );
}

export const hasWaiting = ({ pages }: ThreadPages): boolean =>
  pages.some(({ items }) => items.some(({ waiting }) => waiting));

function mapPages(pages: ThreadPages, change: (items: Thread[]) => Thread[]): ThreadPages {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: change(page.items) })) };
}
