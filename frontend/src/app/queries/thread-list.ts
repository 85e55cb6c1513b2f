import type { InfiniteData } from '@tanstack/react-query';
import type { Thread } from '@tanya/contract';
import type { Page } from '../api/api-client';

export type ThreadPages = InfiniteData<Page<Thread>, string | null>;

/**
 * Merges a new first page into the cached pages: its threads move to the front and are removed from later pages. One
 * small read thus updates a list of any length.
 */
export function mergeNewest(pages: ThreadPages, newest: Page<Thread>): ThreadPages {
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
