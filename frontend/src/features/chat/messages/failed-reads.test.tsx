import { jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { User } from '@tanya/contract';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { aiMessage, userMessage } from '../client/chat-fixtures';

jest.unstable_mockModule('../../../app/socket/socket', () => import('../../../app/socket/fake-socket'));
const { useMessages } = await import('./use-messages');

const PATH = '/api/chat/threads/1/messages';
const failure = (statusCode: number, code: string) => ({ [PATH]: { statusCode, code, message: 'No.' } });
const { queryKey } = threadMessagesQuery(1);

function open() {
  queryClient.setQueryData(currentUserQuery.queryKey, { id: 1 } as User);
  return renderHook(() => useMessages(1), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
}

beforeEach(() => queryClient.clear());

describe('the messages of a thread', () => {
  const items = [userMessage(1, null), aiMessage(2, 1)];

  it('stay when a later read fails', async () => {
    serve(failure(500, 'internal'));
    queryClient.setQueryData(queryKey, { items, nextCursor: null });
    const { result } = open();
    await queryClient.invalidateQueries({ queryKey });
    expect(queryClient.getQueryState(queryKey)?.status).toBe('error');
    // React Query notifies the page in a task that it has queued by now.
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(result.current).toMatchObject({ messages: items, failed: false });
  });

  it('are replaced by the failure when the first read fails', async () => {
    serve(failure(500, 'internal'));
    const { result } = open();
    await waitFor(() => expect(result.current).toMatchObject({ messages: [], failed: true }));
  });

  it('are replaced by the failure when the thread is gone', async () => {
    serve(failure(404, 'not_found'));
    queryClient.setQueryData(queryKey, { items, nextCursor: null });
    const { result } = open();
    await queryClient.invalidateQueries({ queryKey });
    await waitFor(() => expect(result.current.failed).toBe(true));
  });
});
