import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Thread } from '@tanya/contract';
import { threadQuery, threadsQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';

/** A thread; null until it is known, and without an id. It is read from the list; a thread outside of the list is read alone. */
export function useThread(threadId: number | null): Thread | null {
  const { data: user } = useQuery(currentUserQuery);
  const { data: listed, isError } = useInfiniteQuery({
    ...threadsQuery(),
    // The frame of the page reads the list. Guests have none.
    enabled: false,
    select: ({ pages }) => pages.flatMap(({ items }) => items).find(({ id }) => id === threadId) ?? null,
  });
  const isUnlisted = user === null || listed === null || isError;
  const { data: own } = useQuery({ ...threadQuery(threadId ?? 0), enabled: isUnlisted && threadId !== null });
  return listed ?? own ?? null;
}
