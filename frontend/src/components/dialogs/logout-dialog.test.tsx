import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { holdRequests, serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { currentUserQuery } from '../../app/queries/user.query';
import { sari } from '../../app/session/fake-user';
import { writeDraft } from '../../app/storage/drafts';
import { FakeRoute } from '../layout/fake-route';
import { LogoutDialog } from './logout-dialog';

const LOGOUT = '/api/logout';
const THREAD = '/api/chat/threads/7';

function show(answer: unknown, { hasUnsent = false, threads = {} } = {}) {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  const requests = serve({ [LOGOUT]: answer, ...threads });
  const closed: true[] = [];
  const { unmount } = render(
    <FakeRoute>
      <LogoutDialog hasUnsentMessages={() => hasUnsent} onClose={() => closed.push(true)} />
    </FakeRoute>,
  );
  return { requests, closed, unmount, user: userEvent.setup() };
}

beforeEach(() => localStorage.clear());

test('logs out at once where no draft has text', async () => {
  const { requests } = show({});
  await waitFor(() => expect(queryClient.getQueryData(currentUserQuery.queryKey)).toBeNull());
  expect(requests.filter((path) => path === LOGOUT)).toHaveLength(1);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('closes when the logout fails', async () => {
  const { requests, closed } = show({ statusCode: 500, code: 'internal', message: 'Failed.' });
  await waitFor(() => expect(closed).toHaveLength(1));
  expect(requests).toEqual([LOGOUT]);
});

test('asks before a logout that removes the text of a draft', async () => {
  writeDraft('user:1', '7', 'Begun');
  const { requests, closed, user } = show({}, { threads: { [THREAD]: { id: 7 } } });
  await screen.findByRole('alertdialog', { name: 'Logout' });
  expect(requests).toEqual([THREAD]);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(closed).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(requests).toContain(LOGOUT));
});

test('asks before a logout that removes an unsent message', async () => {
  const { requests } = show({}, { hasUnsent: true });
  await screen.findByRole('alertdialog', { name: 'Logout' });
  expect(requests).toEqual([]);
});

test('does not ask for the draft of a deleted thread', async () => {
  writeDraft('user:1', '7', 'Begun');
  const { requests } = show({});
  await waitFor(() => expect(requests).toContain(LOGOUT));
  expect(requests[0]).toBe(THREAD);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('asks for a draft whose thread cannot be read', async () => {
  writeDraft('user:1', '7', 'Begun');
  show({}, { threads: { [THREAD]: { statusCode: 503, code: 'storage_unavailable', message: 'Not now.' } } });
  await screen.findByRole('alertdialog', { name: 'Logout' });
});

test('asks for a draft of a new chat without a read', async () => {
  writeDraft('user:1', 'new', 'Begun');
  writeDraft('user:1', '7', 'Begun');
  const { requests } = show({});
  await screen.findByRole('alertdialog', { name: 'Logout' });
  expect(requests).toEqual([]);
});

describe('while the thread of a draft is being read', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = fetch;
  });

  function hold() {
    writeDraft('user:1', '7', 'Begun');
    const page = show({});
    return { ...page, read: holdRequests() };
  }

  it('asks after a time', async () => {
    hold();
    await screen.findByRole('alertdialog', { name: 'Logout' }, { timeout: 30_000 });
  });

  it('does not log out after it was closed', async () => {
    const { requests, read, unmount } = hold();
    await waitFor(() => expect(read.isAsked()).toBe(true));
    unmount();
    read.release();
    await waitFor(() => expect(requests).toContain(THREAD));
    await act(async () => undefined);
    expect(requests).not.toContain(LOGOUT);
  });
});
