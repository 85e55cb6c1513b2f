import { notifyManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { currentUserQuery } from '../queries/user.query';
import { queryClient } from '../queries/query-client';

/** A user's id as text, or `guest`: what somebody leaves in this browser is kept under it. */
export type Owner = string;

export const GUEST: Owner = 'guest';

/** Whom the page shows; null while that is not known. */
export function pageOwner(): Owner | null {
  const user = queryClient.getQueryData(currentUserQuery.queryKey);
  if (user === undefined) return null;
  return user === null ? GUEST : String(user.id);
}

/** Reads whom the page shows, where that could not be read before. */
export function askForOwner(): void {
  void queryClient.prefetchQuery(currentUserQuery);
}

/** What a guest wrote belongs to whoever signs in, as the guest's threads do; what was written too early, to the first known. */
export function belongsTo(owner: Owner | null, writer: Owner | null): boolean {
  return writer === owner || writer === null || (writer === GUEST && owner !== null);
}

/**
 * Tells of another person on this page when its screens are told: by then whoever showed them has let the old
 * connection go. Returns the way to stop.
 */
export function onOwnerChanged(listener: (before: Owner | null) => void): () => void {
  let before = pageOwner();
  return queryClient.getQueryCache().subscribe(
    notifyManager.batchCalls(() => {
      const last = before;
      before = pageOwner();
      if (before !== last) listener(last);
    }),
  );
}

export function usePageOwner(): Owner | null {
  return useSyncExternalStore(onOwnerChanged, pageOwner);
}

const leaveListeners = new Set<(owner: Owner) => void>();

/** Tells who has logged out on this page, for what must not stay behind; returns the way to stop. */
export function onOwnerLeft(listener: (owner: Owner) => void): () => void {
  leaveListeners.add(listener);
  return () => leaveListeners.delete(listener);
}

let lastMember: Owner | null = null;

/** To be called before the page shows a guest again. */
export function noteMember(): void {
  const owner = pageOwner();
  if (owner !== GUEST) lastMember = owner ?? lastMember;
}

/** The member of this page has ended their session themselves; the server's event may have come before its answer. */
export function memberLeaves(): void {
  noteMember();
  const owner = lastMember;
  if (owner !== null) leaveListeners.forEach((listener) => listener(owner));
}
