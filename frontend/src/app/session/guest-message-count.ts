import { queryClient } from '../queries/query-client';
import { currentUserQuery, quotaQuery } from '../queries/user.query';
import { readStored, writeStored } from '../storage/stored';

const STORAGE_KEY = 'tanya.guest-message-count';

/** Messages used by this browser's guest, as last reported by the server. */
export function guestMessageCount(): number {
  const count = Number(readStored(STORAGE_KEY));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Stores the server's count of the guest's messages. Call once at startup. */
export function persistGuestMessageCount(): void {
  const keys = [quotaQuery.queryKey[0], currentUserQuery.queryKey[0]];
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (!keys.some((key) => key === (query.queryKey as readonly unknown[])[0])) return;
    const quota = queryClient.getQueryData(quotaQuery.queryKey);
    if (queryClient.getQueryData(currentUserQuery.queryKey) !== null || !quota) return;
    writeStored(STORAGE_KEY, String(quota.used));
  });
}
