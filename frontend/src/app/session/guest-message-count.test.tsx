import { guestMessageCount, persistGuestMessageCount } from './guest-message-count';
import { currentUserQuery, quotaQuery } from '../queries/user.query';
import { queryClient } from '../queries/query-client';

const used = (count: number) => ({ used: count, max: 3, remaining: 3 - count, resetsAt: null });

persistGuestMessageCount();

it('starts at 0 and follows the server’s count for a guest', () => {
  expect(guestMessageCount()).toBe(0);
  queryClient.setQueryData(quotaQuery.queryKey, used(1));
  expect(guestMessageCount()).toBe(0);
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  expect(guestMessageCount()).toBe(1);
  queryClient.setQueryData(quotaQuery.queryKey, used(2));
  expect(guestMessageCount()).toBe(2);
});

it('ignores the count of a user', () => {
  queryClient.setQueryData(currentUserQuery.queryKey, { id: 1 } as never);
  queryClient.setQueryData(quotaQuery.queryKey, used(3));
  expect(guestMessageCount()).toBe(2);
});
