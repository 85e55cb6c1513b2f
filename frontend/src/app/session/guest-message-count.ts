import { queryClient } from '../queries/query-client';
import { currentUserQuery, quotaQuery } from '../queries/user.query';

const STORAGE_KEY = 'tanya.guest-message-count';

/** Messages that this browser's guest has used, as the server last said. */
export function guestMessageCount(): number {
  try {
    const count = Number(localStorage.getItem(STORAGE_KEY));
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    return 0;
  }
}

/** Keeps the count in step with the server's, which alone decides. Called once, at the start. */
export function mirrorGuestMessages(): void {
  const keys = [quotaQuery.queryKey[0], currentUserQuery.queryKey[0]];
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (!keys.some((key) => key === (query.queryKey as readonly unknown[])[0])) return;
    const quota = queryClient.getQueryData(quotaQuery.queryKey);
    if (queryClient.getQueryData(currentUserQuery.queryKey) !== null || !quota) return;
    try {
      localStorage.setItem(STORAGE_KEY, String(quota.used));
    } catch {
      // Storage may be blocked; the server counts all the same.
    }
  });
}
