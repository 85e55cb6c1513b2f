import { jest } from '@jest/globals';
import { QueryObserver } from '@tanstack/react-query';
import type { User } from '@tanya/contract';
import { serve } from '../api/fake-server';
import { queryClient } from '../queries/query-client';
import { fakeThread } from '../queries/fake-thread';
import { currentUserQuery } from '../queries/user.query';
import { openDeleteDialog, openProjectDialog, openShareDialog, useDialogs } from '../state/dialogs';
import { slideIn, useSidebar } from '../state/sidebar';
import { sari } from './fake-user';

/** Reports a login or logout in another tab. */
let changeElsewhere: () => void = () => undefined;
class FakeChannel {
  addEventListener(_: 'message', listener: () => void) {
    changeElsewhere = listener;
  }
  postMessage = () => undefined;
}
globalThis.BroadcastChannel = FakeChannel as unknown as typeof BroadcastChannel;

jest.unstable_mockModule('../socket/socket', () => ({ reconnectSocket: () => undefined }));
const { beginSession, endSession, startSessionSync } = await import('./session-lifecycle');

test('a logout closes the drawer', async () => {
  serve({ '/api/session': { user: null } });
  slideIn();
  await endSession();
  expect(useSidebar.getState().slidIn).toBe(false);
});

test.each([() => openShareDialog(1), () => openProjectDialog(1), () => openDeleteDialog(fakeThread(1))])(
  'a session that ends closes a dialog about a chat of the account: %#',
  async (open) => {
    serve({ '/api/session': { user: null } });
    open();
    await endSession();
    expect(useDialogs.getState().open).toBeNull();
  },
);

test('a logout removes every read that is not known to be public', async () => {
  serve({ '/api/session': { user: null }, '/api/general-settings': {} });
  const kept = [['default-model'], ['idea-texts', 'en'], ['shared', 'token']];
  const removed = [['models'], ['threads', 'list'], ['admin', 'settings'], ['preferences', 7], ['a later read']];
  for (const queryKey of [...kept, ...removed]) queryClient.setQueryData(queryKey, 'of the account');
  await endSession();
  for (const queryKey of kept) expect(queryClient.getQueryData(queryKey)).toBe('of the account');
  for (const queryKey of removed) expect(queryClient.getQueryData(queryKey)).toBeUndefined();
});

const { queryKey } = currentUserQuery;
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

/** Answers the reads of the session one after the other, when the test does. */
function holdSessions() {
  const answers: ((user: unknown) => void)[] = [];
  serve({});
  const served = globalThis.fetch;
  globalThis.fetch = (async (address: string) => {
    if (address !== '/api/session') return served(address);
    const user = await new Promise((resolve) => void answers.push(resolve));
    return { ok: true, status: 200, text: () => Promise.resolve(JSON.stringify({ user })) };
  }) as unknown as typeof fetch;
  return answers;
}

test('an answer from before a login does not show the guest again', async () => {
  queryClient.clear();
  const answers = holdSessions();
  queryClient.setQueryData(queryKey, null);
  void queryClient.prefetchQuery({ ...currentUserQuery, staleTime: 0 });
  await beginSession(sari);
  answers[0]!(null);
  await settle();
  expect(queryClient.getQueryData(queryKey)).toEqual(sari);
});

describe('a change of the session in another tab', () => {
  const budi: User = { ...sari, id: 2, username: 'budi' };
  beforeAll(() => startSessionSync());
  beforeEach(() => queryClient.clear());

  it('is not missed during a read of the session that began before it', async () => {
    const answers = holdSessions();
    void queryClient.prefetchQuery(currentUserQuery);
    changeElsewhere();
    await settle();
    answers[0]!(null);
    answers[1]!(sari);
    await settle();
    expect(queryClient.getQueryData(queryKey)).toEqual(sari);
  });

  it('that ends a login is not missed while the login is followed', async () => {
    const answers = holdSessions();
    queryClient.setQueryData(queryKey, budi);
    const stop = new QueryObserver(queryClient, currentUserQuery).subscribe(() => undefined);
    changeElsewhere();
    await settle();
    answers[0]!(sari);
    // The earlier account is taken off the page, which reads the session too.
    await settle();
    changeElsewhere();
    await settle();
    for (let read = 1; read < 5; read += 1) {
      answers[read]?.(null);
      await settle();
    }
    expect(queryClient.getQueryData(queryKey)).toBeNull();
    stop();
  });
});
