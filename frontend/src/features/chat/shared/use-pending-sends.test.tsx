import { jest } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import type { User } from '@tanya/contract';
import { serve } from '../../../app/api/fake-server';
import { currentUserQuery } from '../../../app/queries/user.query';
import type { Owner } from '../../../app/storage/owner';
import { queryClient } from '../../../app/queries/query-client';
import { hasUnsentMessages, outbox, type PendingSend } from '../client/outbox-store';
import { usePendingSends } from './use-pending-sends';

jest.unstable_mockModule('../../../app/socket/socket', () => ({
  onEvent: () => undefined,
  onConnected: () => undefined,
  onSessionLost: (listener: () => void) => (loseSession = listener),
  reconnectSocket: () => undefined,
  useConnection: { subscribe: () => undefined },
}));
let loseSession: () => void = () => undefined;

const { beginSession, endSession } = await import('../../../app/session/session-lifecycle');
const { startLiveUpdates } = await import('../../../app/sync/live-updates');
startLiveUpdates(() => undefined);

const user = (id: number) => ({ id, username: `user${id}` }) as User;
const sendOf = (owner: Owner): PendingSend => ({
  clientMessageId: `of-${owner}`,
  owner,
  conversation: 'draft',
  request: { event: 'generation:regenerate', payload: { clientMessageId: `of-${owner}`, messageId: 1 } },
  createdAt: '2026-01-01T00:00:00Z',
  state: 'waiting',
  error: null,
});
const ids = (pending: PendingSend[]) => pending.map(({ clientMessageId }) => clientMessageId);

function shown(): string[] {
  const { result, unmount } = renderHook(() => usePendingSends('draft'));
  unmount();
  return ids(result.current);
}

/** Shows the page of a user, with one pending send of each writer. */
function show(id: number, ...writers: Owner[]) {
  queryClient.setQueryData(currentUserQuery.queryKey, user(id));
  outbox.store.setState({ pending: writers.map(sendOf) });
  serve({ '/api/session': { user: null } });
}

test('a conversation shows the pending sends of its user and of the guest before the login, and none of other users', () => {
  show(1, 'user:1', 'user:2', 'guest');
  expect(shown()).toEqual(['of-user:1', 'of-guest']);
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  expect(shown()).toEqual(['of-guest']);
});

test('a logout discards the pending sends of its user', async () => {
  show(1, 'user:1', 'user:2');
  await endSession();
  expect(ids(outbox.all())).toEqual(['of-user:2']);
});

test('a logout whose session:ended event arrives before its response discards the pending sends', async () => {
  show(1, 'user:1', 'user:2');
  loseSession();
  await endSession();
  expect(ids(outbox.all())).toEqual(['of-user:2']);
});

test('a lost session keeps the pending sends for the same user', async () => {
  show(1, 'user:1');
  loseSession();
  expect(shown()).toEqual([]);
  await beginSession(user(1));
  expect(shown()).toEqual(['of-user:1']);
});

test('an owner has an unsent message until the server has accepted it', () => {
  const payload = { clientMessageId: 'a', threadId: 1, model: 'm', content: { text: 'halo' } };
  const message: PendingSend = { ...sendOf('user:1'), request: { event: 'generation:start', payload } };
  for (const [send, isUnsent] of [
    [message, true],
    [{ ...message, state: 'failed' }, true],
    [{ ...message, owner: 'user:2' }, false],
    [{ ...message, ackedAs: 2 }, false],
    [sendOf('user:1'), false],
  ] as const) {
    outbox.store.setState({ pending: [send] });
    expect(hasUnsentMessages('user:1')).toBe(isUnsent);
  }
});
