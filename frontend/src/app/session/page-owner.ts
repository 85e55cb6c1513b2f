import { notifyManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { currentUserQuery } from '../queries/user.query';
import { queryClient } from '../queries/query-client';
import { GUEST, type Owner, ownerOf } from '../storage/owner';

/** The owner that this page shows; null until the session has been read. */
export function pageOwner(): Owner | null {
  const user = queryClient.getQueryData(currentUserQuery.queryKey);
  return user === undefined ? null : ownerOf(user);
}

/** Reads the session if an earlier read failed. */
export function fetchPageOwner(): void {
  void queryClient.prefetchQuery(currentUserQuery);
}

/**
 * Calls the listener with the previous owner when the page shows another one. The call comes in the same batch as the
 * updates of React Query's observers, after the session code has closed the old connection. Returns an unsubscribe.
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

const logoutListeners = new Set<(owner: Owner) => void>();

/** Calls the listener with the account that logged out on this page, to remove its local data. Returns an unsubscribe. */
export function onOwnerLeft(listener: (owner: Owner) => void): () => void {
  logoutListeners.add(listener);
  return () => logoutListeners.delete(listener);
}

let lastAccount: Owner | null = null;

/** Records the account of this page. Call it before the page shows a guest again. */
export function recordAccount(): void {
  const owner = pageOwner();
  if (owner !== GUEST) lastAccount = owner ?? lastAccount;
}

/**
 * Reports a logout on this page to the listeners. The account may already be replaced by a guest, because
 * `session:ended` can arrive before the answer to the logout request.
 */
export function reportLogout(): void {
  recordAccount();
  const owner = lastAccount;
  if (owner !== null) logoutListeners.forEach((listener) => listener(owner));
}
