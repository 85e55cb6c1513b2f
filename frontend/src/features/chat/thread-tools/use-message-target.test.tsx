import { renderHook, waitFor } from '@testing-library/react';
import { jest } from '@jest/globals';
import { holdRequests, serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { useMessageTarget } from '../../../app/state/message-target';
import { userMessage } from '../client/chat-fixtures';
import { useFoundMessage } from '../shared/found-message-store';

jest.unstable_mockModule('../../../app/socket/socket', () => import('../../../app/socket/fake-socket'));
const { useMessageTargetOf } = await import('./use-message-target');

const requested = () => useFoundMessage.getState().requested;

function open(threadId: number) {
  queryClient.clear();
  serve({ '/api/chat/threads/1/messages': [userMessage(5, null)] });
  const requests = holdRequests();
  useMessageTarget.setState({ target: { threadId: 1, messageId: 5, words: 'question' } });
  const page = renderHook((id: number) => useMessageTargetOf(id), { initialProps: threadId, reactStrictMode: true });
  return { ...requests, ...page };
}

test('the marks of a search stay until the next conversation', async () => {
  const { release, rerender } = open(1);
  release();
  await waitFor(() => expect(requested()).toEqual({ messageId: 5, words: 'question' }));
  rerender(2);
  expect(requested()).toBeNull();
});

test('a message that is read after its conversation was left is marked nowhere', async () => {
  const { isAsked, release, rerender } = open(1);
  expect(isAsked()).toBe(true);
  rerender(2);
  release();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(requested()).toBeNull();
});
