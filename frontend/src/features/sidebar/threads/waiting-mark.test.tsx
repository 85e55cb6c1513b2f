import { jest } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import type { Thread } from '@tanya/contract';
import { fakeThread } from '../../../app/queries/fake-thread';
import { serve } from '../../../app/api/fake-server';
import { setTitle } from '../../../app/browser/page-title';
import { queryClient } from '../../../app/queries/query-client';
import { FakePage } from '../../../components/layout/fake-page';

type Listener = (payload: { threadId: number }) => void;

const listeners = new Map<string, Listener>();
const subscribe = (event: string, listener: Listener) => {
  listeners.set(event, listener);
  return () => undefined;
};

jest.unstable_mockModule('../../../app/socket/socket', () => ({
  onEvent: subscribe,
  onConnected: (listener: Listener) => subscribe('connect', listener),
  onSessionLost: () => () => undefined,
  reconnectSocket: () => undefined,
  useConnection: { getState: () => ({ status: 'connected' }) },
}));

const { clearActivity, dropThread } = await import('../../../app/sync/thread-list-cache');
const { refreshThreads } = await import('../../../app/sync/thread-refresh');
const { default: WaitingMark } = await import('./waiting-mark');

const WAITING = '/api/chat/threads?state=waiting&limit=200';

const waits = { waiting: true };
const title = (expected: string) => waitFor(() => expect(document.title).toBe(expected));

function show(listed: Thread[], waiting: Thread[], isShown = true) {
  queryClient.clear();
  setTitle('Harbour');
  const answers: Record<string, unknown> = { '/api/chat/threads': listed, [WAITING]: waiting };
  serve(answers);
  const { unmount } = render(
    <FakePage>
      <WaitingMark isShown={isShown} />
    </FakePage>,
  );
  return { answers, unmount };
}

test('marks the tab while any chat of the account waits for approval', async () => {
  const { answers, unmount } = show([fakeThread(2), fakeThread(1, waits)], []);
  await title('● Harbour');
  act(() => clearActivity(1));
  await title('Harbour');
  answers['/api/chat/threads'] = [fakeThread(2, waits), fakeThread(1)];
  await act(() => refreshThreads([2]));
  await title('● Harbour');
  unmount();
  await title('Harbour');
});

test('shows a dot and marks the tab for a chat outside of the loaded list, until it is decided', async () => {
  const { answers, unmount } = show([fakeThread(2)], [fakeThread(1, { isArchived: true, waiting: true })]);
  await screen.findByRole('img', { name: 'Waiting for your approval' });
  await title('● Harbour');
  answers[WAITING] = [];
  act(() => listeners.get('thread:changed')?.({ threadId: 1 }));
  await title('Harbour');
  expect(screen.queryByRole('img')).toBeNull();
  answers[WAITING] = [fakeThread(3, { isArchived: true, waiting: true })];
  act(() => listeners.get('thread:changed')?.({ threadId: 3 }));
  await title('● Harbour');
  unmount();
});

test('reads the waiting chats again after the first reconnect since it is shown', async () => {
  const { answers, unmount } = show([fakeThread(2)], []);
  await title('Harbour');
  answers[WAITING] = [fakeThread(1, { isArchived: true, waiting: true })];
  act(() => listeners.get('connect')?.(undefined as never));
  await title('● Harbour');
  unmount();
});

test('removes the mark of a waiting chat that is deleted', async () => {
  const { unmount } = show([fakeThread(1, waits)], [fakeThread(1, waits)]);
  await title('● Harbour');
  act(() => dropThread(1));
  await title('Harbour');
  unmount();
});

test('a visible list needs no dot', async () => {
  const { unmount } = show([fakeThread(1, waits)], [fakeThread(1, waits)], false);
  await title('● Harbour');
  expect(screen.queryByRole('img')).toBeNull();
  unmount();
});
