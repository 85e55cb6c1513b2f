import { jest } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { FALLBACK_MODEL } from '@tanya/contract';
import { holdRequests, serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { requests } from '../../../app/socket/fake-socket';
import { useComposerStore } from '../../../app/state/composer-store';
import { userMessage } from '../client/chat-fixtures';
import { outbox, type PendingSend } from '../client/outbox-store';
import { markEditing, useEditRequest } from '../shared/edit-request-store';

jest.unstable_mockModule('../../../app/socket/socket', () => import('../../../app/socket/fake-socket'));
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

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

beforeEach(() => {
  queryClient.clear();
  useComposerStore.setState({ text: null, files: [] });
  useEditRequest.setState({ messageId: null, text: undefined });
  outbox.store.setState({ pending: [refusedEdit] });
});

function open(isUsedUp = false) {
  const conversation = { key: '1', threadId: 1 };
  return renderHook(() => useConversationActionsFor(conversation, FALLBACK_MODEL, false, isUsedUp)).result;
}

/** Takes the refused edit back. */
function withdraw(): void {
  const actions = open();
  act(() => actions.current.withdraw(refusedEdit));
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

test('a version that is refused is not shown', async () => {
  serve({});
  const actions = open();
  await act(async () => expect(await actions.current.showVersion(5)).toBe(false));
});

test('a used-up quota ends the sending, but not the look at other versions', () => {
  expect(open(true).current).toMatchObject({ isIdle: false, canSwitch: true });
});

test('a message waits until the version that it follows is stored', async () => {
  serve({ '/api/chat/threads/1': {} });
  const change = holdRequests();
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  const actions = open();
  act(() => {
    void actions.current.showVersion(5);
    actions.current.continueAnswer();
  });
  await waitFor(() => expect(change.isAsked()).toBe(true));
  expect(requests).toEqual([]);
  change.release();
  await waitFor(() => expect(requests).toMatchObject([{ event: 'generation:start' }]));
});
