import { jest } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { FALLBACK_MODEL } from '@tanya/contract';
import { queryClient } from '../../../app/queries/query-client';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { useComposerStore } from '../../../app/state/composer-store';
import { userMessage } from '../client/chat-fixtures';
import { outbox, type PendingSend } from '../client/outbox-store';
import { markEditing, useEditRequest } from '../shared/edit-request-store';

const stop = () => undefined;
jest.unstable_mockModule('../../../app/socket/socket', () => ({
  onEvent: () => stop,
  onConnected: () => stop,
  reconnectSoon: stop,
  replayEvent: stop,
  request: () => new Promise(() => undefined),
  useConnection: { getState: () => ({ status: 'connected' }) },
}));
const { useConversationActionsFor } = await import('./use-conversation-actions');

const refusedEdit: PendingSend = {
  clientMessageId: 'a',
  owner: 'user:1',
  conversation: '1',
  request: {
    event: 'generation:start',
    payload: { clientMessageId: 'a', threadId: 1, model: 'm', content: { text: 'a better question' }, editOf: 1 },
  },
  createdAt: '2026-01-01T00:00:00Z',
  state: 'failed',
  error: { code: 'rate_limited', message: 'Too many messages.' },
};

beforeEach(() => {
  queryClient.clear();
  useComposerStore.setState({ text: null, files: [] });
  useEditRequest.setState({ messageId: null, text: undefined });
  outbox.store.setState({ pending: [refusedEdit] });
});

/** Takes the refused edit back. */
function withdraw(): void {
  const conversation = { key: '1', threadId: 1 };
  const { result } = renderHook(() => useConversationActionsFor(conversation, FALLBACK_MODEL, false));
  act(() => result.current.withdraw(refusedEdit));
}

test('a refused edit goes back into the editing of its message', () => {
  queryClient.setQueryData(threadMessagesQuery(1).queryKey, { items: [userMessage(1, null)], nextCursor: null });
  withdraw();
  expect(useEditRequest.getState()).toMatchObject({ messageId: 1, text: 'a better question' });
  expect(useComposerStore.getState().text).toBeNull();
  expect(outbox.all()).toEqual([]);
});

test('a refused edit stays while its message is being edited', () => {
  queryClient.setQueryData(threadMessagesQuery(1).queryKey, { items: [userMessage(1, null)], nextCursor: null });
  const end = markEditing(1);
  withdraw();
  expect(outbox.all()).toEqual([refusedEdit]);
  end();
});

test('a refused edit goes into the composer where its message is not shown', () => {
  withdraw();
  expect(useComposerStore.getState().text).toEqual({ value: 'a better question', isIdea: false });
  expect(outbox.all()).toEqual([]);
});
