import { jest } from '@jest/globals';
import { createMemoryHistory } from '@tanstack/react-router';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { User } from '@tanya/contract';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { FakeRouter } from '../../../components/layout/fake-router';
import { conversationThreads, recordThread, storeGuestThread } from '../client/conversation-thread-store';

let deleted: (payload: { threadId: number }) => void = () => undefined;
const stop = () => undefined;
jest.unstable_mockModule('../../../app/socket/socket', () => ({
  onEvent: (_: string, listener: typeof deleted) => (deleted = listener) && stop,
}));
const { useConversation } = await import('./use-conversation');

/** Opens a conversation at its address. */
function open(user: User | null, threadId: number | null) {
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  const history = createMemoryHistory({ initialEntries: [threadId === null ? '/' : `/chat/${threadId}`] });
  const { result } = renderHook(() => useConversation(threadId), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={queryClient}>
        <FakeRouter history={history}>{children}</FakeRouter>
      </QueryClientProvider>
    ),
  });
  return { result, history };
}

test('the page of a deleted thread is left', async () => {
  const { history } = open({ id: 1 } as User, 7);
  act(() => deleted({ threadId: 8 }));
  expect(history.location.pathname).toBe('/chat/7');
  act(() => deleted({ threadId: 7 }));
  await waitFor(() => expect(history.location.pathname).toBe('/'));
});

test('a guest whose thread has expired has a new conversation', () => {
  storeGuestThread(7);
  const { result } = open(null, null);
  expect(result.current.threadId).toBe(7);
  act(() => deleted({ threadId: 7 }));
  expect(result.current.threadId).toBeNull();
});

test('a guest whose thread began on this page and has expired has a new conversation', () => {
  const { result } = open(null, null);
  const { key } = result.current;
  act(() => recordThread(key, 7));
  expect(result.current).toEqual({ key: '7', threadId: 7 });
  act(() => deleted({ threadId: 8 }));
  expect(result.current.threadId).toBe(7);
  act(() => deleted({ threadId: 7 }));
  expect(result.current.threadId).toBeNull();
  expect(result.current.key).not.toBe(key);
  expect(conversationThreads.getState().guestThread).toBeNull();
});
